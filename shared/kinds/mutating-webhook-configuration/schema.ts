import type { WebhookConfiguration } from '../../kube-api/webhooks/configuration.ts';
import { mutatingWebhooks } from '../schema/webhook.ts';

export const mutatingWebhookConfigurationSchema = mutatingWebhooks;

/** admissionregistration.k8s.io/v1: servers that are called for writes. */
export type MutatingWebhookConfiguration = WebhookConfiguration;
