import type { ResourceDefinition } from '../../kube-api/resource.ts';
import { warnAWSClusterTemplate } from '../aws-cluster/warnings.ts';
import { clusterApiKind, clusterLabelOf } from '../schema/definition-parts.ts';
import { toOpenApi } from '../schema/open-api.ts';
import { awsClusterTemplateColumns } from './columns.ts';
import { defaultAWSClusterTemplate } from './defaults.ts';
import { type AWSClusterTemplate, awsClusterTemplateSchema } from './schema.ts';
import { validateAWSClusterTemplate } from './validate.ts';

export const awsClusterTemplate: ResourceDefinition<AWSClusterTemplate> = {
  ...clusterApiKind,
  statusSubresource: false,
  group: 'infrastructure.cluster.x-k8s.io',
  kind: 'AWSClusterTemplate',
  plural: 'awsclustertemplates',
  singular: 'awsclustertemplate',
  shortNames: ['awsct'],
  get schema() {
    return toOpenApi(awsClusterTemplateSchema);
  },
  columns: awsClusterTemplateColumns,
  clusterNameOf: clusterLabelOf,
  default: defaultAWSClusterTemplate,
  validate: validateAWSClusterTemplate,
  warnings: warnAWSClusterTemplate,
};
