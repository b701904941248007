import type { ResourceDefinition } from '../../kube-api/resource.ts';
import { ageColumn, textColumn } from '../schema/columns.ts';
import { toOpenApi } from '../schema/open-api.ts';
import { rancherKind } from '../schema/rancher-kind.ts';
import { type RancherKubeconfig, rancherKubeconfigSchema } from './schema.ts';

export const rancherKubeconfig: ResourceDefinition<RancherKubeconfig> = {
  ...rancherKind,
  kind: 'Kubeconfig',
  plural: 'kubeconfigs',
  singular: 'kubeconfig',
  statusSubresource: false,
  get schema() {
    return toOpenApi(rancherKubeconfigSchema);
  },
  columns: [
    textColumn('Namespace', '.spec.secretRef.namespace', 'Namespace of the Secret'),
    textColumn('Secret', '.spec.secretRef.name', 'Secret with the kubeconfig'),
    ageColumn('Kubeconfig'),
  ],
};
