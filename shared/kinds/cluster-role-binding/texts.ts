import type { KindTexts } from '../../kube-api/schema/field-texts.ts';
import { bindingFields } from '../texts/rbac.ts';

export const clusterRoleBindingTexts = {
  text: 'Grants the permissions of a ClusterRole in all namespaces.',
  fields: bindingFields,
} satisfies KindTexts;
