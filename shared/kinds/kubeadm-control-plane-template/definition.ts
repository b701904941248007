import type { ResourceDefinition } from '../../kube-api/resource.ts';
import { clusterApiKind, clusterLabelOf } from '../schema/definition-parts.ts';
import { toOpenApi } from '../schema/open-api.ts';
import { kubeadmControlPlaneTemplateColumns } from './columns.ts';
import { type KubeadmControlPlaneTemplate, kubeadmControlPlaneTemplateSchema } from './schema.ts';
import { kubeadmControlPlaneTemplateV1beta1 } from './v1beta1/version.ts';
import { validateKubeadmControlPlaneTemplate } from './validate.ts';

export const kubeadmControlPlaneTemplate: ResourceDefinition<KubeadmControlPlaneTemplate> = {
  ...clusterApiKind,
  statusSubresource: false,
  group: 'controlplane.cluster.x-k8s.io',
  kind: 'KubeadmControlPlaneTemplate',
  plural: 'kubeadmcontrolplanetemplates',
  singular: 'kubeadmcontrolplanetemplate',
  shortNames: [],
  get schema() {
    return toOpenApi(kubeadmControlPlaneTemplateSchema);
  },
  columns: kubeadmControlPlaneTemplateColumns,
  clusterNameOf: clusterLabelOf,
  validate: validateKubeadmControlPlaneTemplate,
  versions: [kubeadmControlPlaneTemplateV1beta1],
};
