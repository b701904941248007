import type { KindTexts } from '../../kube-api/schema/field-texts.ts';
import { rulesText } from '../texts/rbac.ts';

export const roleTexts = {
  text: 'A set of permissions within one namespace, granted by RoleBindings.',
  fields: { rules: rulesText },
} satisfies KindTexts;
