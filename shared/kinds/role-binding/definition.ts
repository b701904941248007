import type { ResourceDefinition } from '../../kube-api/resource.ts';
import { defaultBinding, validateBinding } from '../rules/kubernetes/rbac-binding.ts';
import { toOpenApi } from '../schema/open-api.ts';
import { bindingSchema, rbacKind } from '../schema/rbac.ts';
import { bindingColumns } from '../schema/rbac-columns.ts';
import type { RoleBinding } from './schema.ts';

export const roleBinding: ResourceDefinition<RoleBinding> = {
  ...rbacKind,
  kind: 'RoleBinding',
  plural: 'rolebindings',
  singular: 'rolebinding',
  namespaced: true,
  get schema() {
    return toOpenApi(bindingSchema);
  },
  columns: bindingColumns('RoleBinding'),
  default: defaultBinding,
  validate: (binding, old) => validateBinding(binding, old, ['Role', 'ClusterRole']),
};
