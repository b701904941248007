import type { KindTexts } from '../../kube-api/schema/field-texts.ts';
import { bindingFields } from '../texts/rbac.ts';

export const roleBindingTexts = {
  text: 'Grants the permissions of a Role or ClusterRole within one namespace.',
  fields: bindingFields,
} satisfies KindTexts;
