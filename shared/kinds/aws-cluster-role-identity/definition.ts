import type { ResourceDefinition } from '../../kube-api/resource.ts';
import { defaultIdentity } from '../rules/aws/identity.ts';
import { ageColumn } from '../schema/columns.ts';
import { clusterApiKind } from '../schema/definition-parts.ts';
import { toOpenApi } from '../schema/open-api.ts';
import { type AWSClusterRoleIdentity, awsClusterRoleIdentitySchema } from './schema.ts';
import { validateAWSClusterRoleIdentity } from './validate.ts';

export const awsClusterRoleIdentity: ResourceDefinition<AWSClusterRoleIdentity> = {
  ...clusterApiKind,
  statusSubresource: false,
  namespaced: false,
  group: 'infrastructure.cluster.x-k8s.io',
  kind: 'AWSClusterRoleIdentity',
  plural: 'awsclusterroleidentities',
  singular: 'awsclusterroleidentity',
  shortNames: ['awsri'],
  get schema() {
    return toOpenApi(awsClusterRoleIdentitySchema);
  },
  columns: [ageColumn('AWSClusterRoleIdentity')],
  default: defaultIdentity,
  validate: validateAWSClusterRoleIdentity,
};
