import type { WebhookConfiguration } from '../../kube-api/webhooks/configuration.ts';
import { validatingWebhooks } from '../schema/webhook.ts';

export const validatingWebhookConfigurationSchema = validatingWebhooks;

/** admissionregistration.k8s.io/v1: servers that are called for writes. */
export type ValidatingWebhookConfiguration = WebhookConfiguration;
