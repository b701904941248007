import type { KindTexts } from '../../kube-api/schema/field-texts.ts';
import { objectReferenceFields } from '../texts/meta.ts';

export const serviceAccountTexts = {
  text: 'An account for programs. Stored and not acted on: callers of this API are IAM principals, and no tokens are issued.',
  fields: {
    secrets: ['Secrets of the account. Only their names are kept.', objectReferenceFields],
    imagePullSecrets: [
      'Secrets with credentials for image registries. Stored and not acted on.',
      { name: 'Name of the Secret.' },
    ],
    automountServiceAccountToken: 'Whether pods get a token of the account. Stored and not acted on.',
  },
} satisfies KindTexts;
