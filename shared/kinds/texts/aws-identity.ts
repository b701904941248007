import type { FieldText, FieldTexts } from '../../kube-api/schema/field-texts.ts';
import { labelSelectorFields } from './meta.ts';

/** Texts of the fields that the identity kinds share. */

export const allowedNamespacesText = [
  'Namespaces whose AWSClusters may use the identity: those in the list and those that the selector matches. If absent, none may; if it is the empty object, all may.',
  {
    list: 'Names of namespaces. An empty list admits none.',
    selector: ['Selects namespaces by their labels. An empty selector admits none.', labelSelectorFields],
  },
] satisfies FieldText;

export const identityRefFields = {
  name: 'Name of the identity. Identities are cluster-scoped.',
  kind: 'AWSClusterControllerIdentity, AWSClusterRoleIdentity or AWSClusterStaticIdentity.',
} satisfies FieldTexts;
