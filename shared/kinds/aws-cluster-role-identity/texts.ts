import type { KindTexts } from '../../kube-api/schema/field-texts.ts';
import { allowedNamespacesText, identityRefFields } from '../texts/aws-identity.ts';

export const awsClusterRoleIdentityTexts = {
  text: 'An IAM role, usually of another account, that is assumed to manage clusters.',
  fields: {
    spec: [
      'The role, how it is assumed, and who may use it.',
      {
        allowedNamespaces: allowedNamespacesText,
        roleARN: 'ARN of the role to assume.',
        sessionName: 'Name of the session, as CloudTrail shows it. Defaults to windlass- and the name of the identity.',
        durationSeconds:
          'Length of a session in seconds, 900 to 43200. Limited to 3600 when one role assumes another, which is the usual case; if absent, STS decides.',
        inlinePolicy: 'IAM policy in JSON that limits what sessions may do.',
        policyARNs: 'ARNs of managed policies that limit what sessions may do.',
        externalID:
          "External ID that the role's trust policy asks for. Required for a role of another account, unless the annotation windlass.dev/without-external-id is true.",
        sourceIdentityRef: ['Identity whose credentials assume the role. Required.', identityRefFields],
      },
    ],
  },
} satisfies KindTexts;
