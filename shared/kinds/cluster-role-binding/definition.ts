import type { ResourceDefinition } from '../../kube-api/resource.ts';
import { defaultBinding, validateBinding } from '../rules/kubernetes/rbac-binding.ts';
import { toOpenApi } from '../schema/open-api.ts';
import { bindingSchema, rbacKind } from '../schema/rbac.ts';
import { bindingColumns } from '../schema/rbac-columns.ts';
import type { ClusterRoleBinding } from './schema.ts';

export const clusterRoleBinding: ResourceDefinition<ClusterRoleBinding> = {
  ...rbacKind,
  kind: 'ClusterRoleBinding',
  plural: 'clusterrolebindings',
  singular: 'clusterrolebinding',
  namespaced: false,
  get schema() {
    return toOpenApi(bindingSchema);
  },
  columns: bindingColumns('ClusterRoleBinding'),
  default: defaultBinding,
  validate: (binding, old) => validateBinding(binding, old, ['ClusterRole']),
};
