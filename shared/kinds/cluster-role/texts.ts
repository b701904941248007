import type { KindTexts } from '../../kube-api/schema/field-texts.ts';
import { labelSelectorFields } from '../texts/meta.ts';
import { rulesText } from '../texts/rbac.ts';

export const clusterRoleTexts = {
  text: 'A set of permissions for the whole installation, or for a namespace if a RoleBinding grants it.',
  fields: {
    aggregationRule: [
      'Collects the rules of other ClusterRoles into this one, instead of rules written by hand.',
      {
        clusterRoleSelectors: [
          'ClusterRoles to collect rules from, by their labels. One selector must match.',
          labelSelectorFields,
        ],
      },
    ],
    rules: rulesText,
  },
} satisfies KindTexts;
