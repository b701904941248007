import type { ResourceDefinition } from '../../kube-api/resource.ts';
import { clusterApiKind, clusterLabelOf } from '../schema/definition-parts.ts';
import { toOpenApi } from '../schema/open-api.ts';
import { kubeadmConfigTemplateColumns } from './columns.ts';
import { type KubeadmConfigTemplate, kubeadmConfigTemplateSchema } from './schema.ts';
import { kubeadmConfigTemplateV1beta1 } from './v1beta1/version.ts';
import { validateKubeadmConfigTemplate, warnKubeadmConfigTemplate } from './validate.ts';

export const kubeadmConfigTemplate: ResourceDefinition<KubeadmConfigTemplate> = {
  ...clusterApiKind,
  statusSubresource: false,
  group: 'bootstrap.cluster.x-k8s.io',
  kind: 'KubeadmConfigTemplate',
  plural: 'kubeadmconfigtemplates',
  singular: 'kubeadmconfigtemplate',
  shortNames: [],
  get schema() {
    return toOpenApi(kubeadmConfigTemplateSchema);
  },
  columns: kubeadmConfigTemplateColumns,
  clusterNameOf: clusterLabelOf,
  validate: validateKubeadmConfigTemplate,
  warnings: warnKubeadmConfigTemplate,
  versions: [kubeadmConfigTemplateV1beta1],
};
