import type { ResourceDefinition } from '../../kube-api/resource.ts';
import { validateRules } from '../rules/kubernetes/rbac.ts';
import { toOpenApi } from '../schema/open-api.ts';
import { rbacKind } from '../schema/rbac.ts';
import { roleColumns } from '../schema/rbac-columns.ts';
import { type Role, roleSchema } from './schema.ts';

export const role: ResourceDefinition<Role> = {
  ...rbacKind,
  kind: 'Role',
  plural: 'roles',
  singular: 'role',
  namespaced: true,
  get schema() {
    return toOpenApi(roleSchema);
  },
  columns: roleColumns,
  validate: ({ rules }) => validateRules(rules, 'namespaced'),
};
