import type { ResourceDefinition } from '../../kube-api/resource.ts';
import { defaultIdentity } from '../rules/aws/identity.ts';
import { ageColumn } from '../schema/columns.ts';
import { clusterApiKind } from '../schema/definition-parts.ts';
import { toOpenApi } from '../schema/open-api.ts';
import { type AWSClusterControllerIdentity, awsClusterControllerIdentitySchema } from './schema.ts';
import { validateAWSClusterControllerIdentity } from './validate.ts';

export const awsClusterControllerIdentity: ResourceDefinition<AWSClusterControllerIdentity> = {
  ...clusterApiKind,
  statusSubresource: false,
  namespaced: false,
  group: 'infrastructure.cluster.x-k8s.io',
  kind: 'AWSClusterControllerIdentity',
  plural: 'awsclustercontrolleridentities',
  singular: 'awsclustercontrolleridentity',
  shortNames: ['awsci'],
  get schema() {
    return toOpenApi(awsClusterControllerIdentitySchema);
  },
  columns: [ageColumn('AWSClusterControllerIdentity')],
  default: defaultIdentity,
  validate: validateAWSClusterControllerIdentity,
};
