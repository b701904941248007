import type { KindTexts } from '../../kube-api/schema/field-texts.ts';
import { webhookFields } from '../texts/webhook.ts';

export const mutatingWebhookConfigurationTexts = {
  text: 'HTTPS servers that are asked about writes before they are checked, and may change the object or refuse the write.',
  fields: {
    webhooks: [
      'The webhooks, which are called one after the other. Configurations are called in the order of their names.',
      {
        ...webhookFields,
        reinvocationPolicy:
          'IfNeeded calls the webhook once more where a later one has changed the object. Defaults to Never.',
      },
    ],
  },
} satisfies KindTexts;
