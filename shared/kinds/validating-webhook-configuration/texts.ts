import type { KindTexts } from '../../kube-api/schema/field-texts.ts';
import { webhookFields } from '../texts/webhook.ts';

export const validatingWebhookConfigurationTexts = {
  text: 'HTTPS servers that are asked about writes after they were checked, and may refuse them.',
  fields: { webhooks: ['The webhooks, which are called at the same time.', webhookFields] },
} satisfies KindTexts;
