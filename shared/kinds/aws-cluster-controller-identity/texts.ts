import type { KindTexts } from '../../kube-api/schema/field-texts.ts';
import { allowedNamespacesText } from '../texts/aws-identity.ts';

export const awsClusterControllerIdentityTexts = {
  text: 'Lets clusters use the credentials of the installation itself. There is one, named default; it is created for the first cluster that needs it and admits all namespaces.',
  fields: {
    spec: ['Who may use the credentials of the installation. Immutable.', { allowedNamespaces: allowedNamespacesText }],
  },
} satisfies KindTexts;
