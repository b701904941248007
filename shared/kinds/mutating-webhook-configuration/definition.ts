import type { ResourceDefinition } from '../../kube-api/resource.ts';
import { defaultWebhooks, validateWebhooks } from '../rules/kubernetes/webhooks.ts';
import { toOpenApi } from '../schema/open-api.ts';
import { admissionKind } from '../schema/webhook.ts';
import { webhookColumns } from '../schema/webhook-columns.ts';
import { type MutatingWebhookConfiguration, mutatingWebhookConfigurationSchema } from './schema.ts';

export const mutatingWebhookConfiguration: ResourceDefinition<MutatingWebhookConfiguration> = {
  ...admissionKind,
  kind: 'MutatingWebhookConfiguration',
  plural: 'mutatingwebhookconfigurations',
  singular: 'mutatingwebhookconfiguration',
  get schema() {
    return toOpenApi(mutatingWebhookConfigurationSchema);
  },
  columns: webhookColumns('MutatingWebhookConfiguration'),
  default: (configuration) => defaultWebhooks(configuration, { reinvocationPolicy: 'Never' }),
  validate: validateWebhooks,
};
