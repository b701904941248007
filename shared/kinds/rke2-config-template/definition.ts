import type { ResourceDefinition } from '../../kube-api/resource.ts';
import { defaultRke2Config, validateRke2Config, warnRke2Config } from '../rules/bootstrap/rke2.ts';
import { clusterApiKind, clusterLabelOf } from '../schema/definition-parts.ts';
import { toOpenApi } from '../schema/open-api.ts';
import { type RKE2ConfigTemplate, rke2ConfigTemplateSchema } from './schema.ts';

export const rke2ConfigTemplate: ResourceDefinition<RKE2ConfigTemplate> = {
  ...clusterApiKind,
  statusSubresource: false,
  group: 'bootstrap.cluster.x-k8s.io',
  kind: 'RKE2ConfigTemplate',
  plural: 'rke2configtemplates',
  singular: 'rke2configtemplate',
  shortNames: [],
  get schema() {
    return toOpenApi(rke2ConfigTemplateSchema);
  },
  columns: [],
  clusterNameOf: clusterLabelOf,
  default: (template) => ({
    ...template,
    spec: { template: { ...template.spec.template, spec: defaultRke2Config(template.spec.template.spec) } },
  }),
  validate: ({ spec }, old) => validateRke2Config(spec.template.spec, old?.spec.template.spec, 'spec.template.spec'),
  warnings: ({ spec }) => warnRke2Config(spec.template.spec, 'spec.template.spec'),
};
