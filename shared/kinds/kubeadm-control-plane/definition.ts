import type { ResourceDefinition } from '../../kube-api/resource.ts';
import { clusterApiKind, clusterLabelOf, machineScale } from '../schema/definition-parts.ts';
import { toOpenApi } from '../schema/open-api.ts';
import { kubeadmControlPlaneColumns } from './columns.ts';
import { defaultKubeadmControlPlane } from './defaults.ts';
import { type KubeadmControlPlane, kubeadmControlPlaneSchema } from './schema.ts';
import { kubeadmControlPlaneV1beta1 } from './v1beta1/version.ts';
import { validateKubeadmControlPlane } from './validate.ts';
import { warnKubeadmControlPlane } from './warnings.ts';

export const kubeadmControlPlane: ResourceDefinition<KubeadmControlPlane> = {
  ...clusterApiKind,
  group: 'controlplane.cluster.x-k8s.io',
  kind: 'KubeadmControlPlane',
  plural: 'kubeadmcontrolplanes',
  singular: 'kubeadmcontrolplane',
  shortNames: ['kcp'],
  get schema() {
    return toOpenApi(kubeadmControlPlaneSchema);
  },
  columns: kubeadmControlPlaneColumns,
  scale: machineScale,
  clusterNameOf: clusterLabelOf,
  default: defaultKubeadmControlPlane,
  validate: validateKubeadmControlPlane,
  warnings: warnKubeadmControlPlane,
  versions: [kubeadmControlPlaneV1beta1],
};
