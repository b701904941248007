import type { KindTexts } from '../../kube-api/schema/field-texts.ts';
import { allowedNamespacesText } from '../texts/aws-identity.ts';

export const awsClusterStaticIdentityTexts = {
  text: 'The access key of an IAM user, kept in a Secret. Prefer an AWSClusterRoleIdentity, which needs no long-lived key.',
  fields: {
    spec: [
      'The access key, and who may use it.',
      {
        allowedNamespaces: allowedNamespacesText,
        secretRef:
          'Name of a Secret in the namespace capa-system with the keys AccessKeyID, SecretAccessKey and, optionally, SessionToken. Immutable.',
      },
    ],
  },
} satisfies KindTexts;
