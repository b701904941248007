import type { ResourceDefinition } from '../../kube-api/resource.ts';
import { validateAggregation, validateRules } from '../rules/kubernetes/rbac.ts';
import { toOpenApi } from '../schema/open-api.ts';
import { rbacKind } from '../schema/rbac.ts';
import { roleColumns } from '../schema/rbac-columns.ts';
import { type ClusterRole, clusterRoleSchema } from './schema.ts';

export const clusterRole: ResourceDefinition<ClusterRole> = {
  ...rbacKind,
  kind: 'ClusterRole',
  plural: 'clusterroles',
  singular: 'clusterrole',
  namespaced: false,
  get schema() {
    return toOpenApi(clusterRoleSchema);
  },
  columns: roleColumns,
  validate: ({ rules, aggregationRule }) => [
    ...validateRules(rules, 'cluster-wide'),
    ...validateAggregation(aggregationRule),
  ],
};
