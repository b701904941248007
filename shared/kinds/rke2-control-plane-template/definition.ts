import type { ResourceDefinition } from '../../kube-api/resource.ts';
import { defaultRke2Config, validateRke2Config, validateRke2ControlPlaneFields } from '../rules/bootstrap/rke2.ts';
import { validateTemplateMeta } from '../rules/names.ts';
import { ageColumn, textColumn } from '../schema/columns.ts';
import { clusterApiKind, clusterLabelOf } from '../schema/definition-parts.ts';
import { toOpenApi } from '../schema/open-api.ts';
import { type RKE2ControlPlaneTemplate, rke2ControlPlaneTemplateSchema } from './schema.ts';

const FIELD = 'spec.template.spec';

export const rke2ControlPlaneTemplate: ResourceDefinition<RKE2ControlPlaneTemplate> = {
  ...clusterApiKind,
  statusSubresource: false,
  group: 'controlplane.cluster.x-k8s.io',
  kind: 'RKE2ControlPlaneTemplate',
  plural: 'rke2controlplanetemplates',
  singular: 'rke2controlplanetemplate',
  shortNames: ['rke2ct'],
  get schema() {
    return toOpenApi(rke2ControlPlaneTemplateSchema);
  },
  columns: [
    textColumn(
      'ClusterClass',
      '.metadata.ownerReferences[?(@.kind=="ClusterClass")].name',
      'ClusterClass that uses it',
    ),
    ageColumn('RKE2ControlPlaneTemplate'),
  ],
  clusterNameOf: clusterLabelOf,
  default: (object) => ({
    ...object,
    spec: { template: { ...object.spec.template, spec: defaultRke2Config(object.spec.template.spec) } },
  }),
  validate: ({ spec: { template } }, old) => [
    ...validateRke2Config(template.spec, old?.spec.template.spec, FIELD),
    ...validateRke2ControlPlaneFields(template.spec, old?.spec.template.spec, FIELD),
    ...validateTemplateMeta(template.metadata, 'spec.template.metadata'),
  ],
};
