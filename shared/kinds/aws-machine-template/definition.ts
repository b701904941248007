import type { ResourceDefinition } from '../../kube-api/resource.ts';
import { clusterApiKind, clusterLabelOf } from '../schema/definition-parts.ts';
import { toOpenApi } from '../schema/open-api.ts';
import { awsMachineTemplateColumns } from './columns.ts';
import { type AWSMachineTemplate, awsMachineTemplateSchema } from './schema.ts';
import { validateAWSMachineTemplate, warnAWSMachineTemplate } from './validate.ts';

export const awsMachineTemplate: ResourceDefinition<AWSMachineTemplate> = {
  ...clusterApiKind,
  group: 'infrastructure.cluster.x-k8s.io',
  kind: 'AWSMachineTemplate',
  plural: 'awsmachinetemplates',
  singular: 'awsmachinetemplate',
  shortNames: ['awsmt'],
  get schema() {
    return toOpenApi(awsMachineTemplateSchema);
  },
  columns: awsMachineTemplateColumns,
  clusterNameOf: clusterLabelOf,
  validate: validateAWSMachineTemplate,
  warnings: warnAWSMachineTemplate,
};
