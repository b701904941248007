import type { ResourceDefinition } from '../../kube-api/resource.ts';
import { clusterApiKind, clusterLabelOf } from '../schema/definition-parts.ts';
import { toOpenApi } from '../schema/open-api.ts';
import { kubeadmConfigColumns } from './columns.ts';
import { type KubeadmConfig, kubeadmConfigSchema } from './schema.ts';
import { kubeadmConfigV1beta1 } from './v1beta1/version.ts';
import { validateKubeadmConfig, warnKubeadmConfig } from './validate.ts';

export const kubeadmConfig: ResourceDefinition<KubeadmConfig> = {
  ...clusterApiKind,
  group: 'bootstrap.cluster.x-k8s.io',
  kind: 'KubeadmConfig',
  plural: 'kubeadmconfigs',
  singular: 'kubeadmconfig',
  shortNames: [],
  get schema() {
    return toOpenApi(kubeadmConfigSchema);
  },
  columns: kubeadmConfigColumns,
  clusterNameOf: clusterLabelOf,
  validate: validateKubeadmConfig,
  warnings: warnKubeadmConfig,
  versions: [kubeadmConfigV1beta1],
};
