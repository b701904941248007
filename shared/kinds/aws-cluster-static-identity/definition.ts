import type { ResourceDefinition } from '../../kube-api/resource.ts';
import { defaultIdentity } from '../rules/aws/identity.ts';
import { ageColumn } from '../schema/columns.ts';
import { clusterApiKind } from '../schema/definition-parts.ts';
import { toOpenApi } from '../schema/open-api.ts';
import { type AWSClusterStaticIdentity, awsClusterStaticIdentitySchema } from './schema.ts';
import { validateAWSClusterStaticIdentity } from './validate.ts';

export const awsClusterStaticIdentity: ResourceDefinition<AWSClusterStaticIdentity> = {
  ...clusterApiKind,
  statusSubresource: false,
  namespaced: false,
  group: 'infrastructure.cluster.x-k8s.io',
  kind: 'AWSClusterStaticIdentity',
  plural: 'awsclusterstaticidentities',
  singular: 'awsclusterstaticidentity',
  shortNames: ['awssi'],
  get schema() {
    return toOpenApi(awsClusterStaticIdentitySchema);
  },
  columns: [ageColumn('AWSClusterStaticIdentity')],
  default: defaultIdentity,
  validate: validateAWSClusterStaticIdentity,
};
