/** Common texts of the four RBAC kinds. */
import type { FieldText, FieldTexts } from '../../kube-api/schema/field-texts.ts';

export const rulesText = [
  'Permissions. A request is allowed if any rule of any bound role allows it.',
  {
    verbs: 'Verbs that are allowed, such as get, list, watch, create, update, patch and delete. * means all.',
    apiGroups: 'API groups of the resources. An empty string means the core group, and * means all.',
    resources: 'Plural names of the resources, such as machines, or machines/status for a subresource. * means all.',
    resourceNames: 'Names of the objects that the rule is limited to. Empty means all objects.',
    nonResourceURLs:
      'Paths that are no resources, such as /version, optionally with * as the last step. Allowed in a ClusterRole only, and in force through a ClusterRoleBinding only.',
  },
] satisfies FieldText;

export const bindingFields = {
  subjects: [
    'Who gets the permissions.',
    {
      kind: 'User, Group or ServiceAccount.',
      apiGroup:
        'API group of the kind. Defaults to rbac.authorization.k8s.io for User and Group, and to the core group for ServiceAccount.',
      name: 'Name of the user, group or service account.',
      namespace: 'Namespace of a ServiceAccount. Empty for users and groups.',
    },
  ],
  roleRef: [
    'Role whose permissions are granted. Required, and cannot be changed.',
    {
      apiGroup: 'API group of the role. Defaults to rbac.authorization.k8s.io.',
      kind: 'ClusterRole, or Role where the binding has a namespace.',
      name: 'Name of the role.',
    },
  ],
} satisfies FieldTexts;
