import type { ResourceDefinition } from '../../kube-api/resource.ts';
import { defaultWebhooks, validateWebhooks } from '../rules/kubernetes/webhooks.ts';
import { toOpenApi } from '../schema/open-api.ts';
import { admissionKind } from '../schema/webhook.ts';
import { webhookColumns } from '../schema/webhook-columns.ts';
import { type ValidatingWebhookConfiguration, validatingWebhookConfigurationSchema } from './schema.ts';

export const validatingWebhookConfiguration: ResourceDefinition<ValidatingWebhookConfiguration> = {
  ...admissionKind,
  kind: 'ValidatingWebhookConfiguration',
  plural: 'validatingwebhookconfigurations',
  singular: 'validatingwebhookconfiguration',
  get schema() {
    return toOpenApi(validatingWebhookConfigurationSchema);
  },
  columns: webhookColumns('ValidatingWebhookConfiguration'),
  default: (configuration) => defaultWebhooks(configuration),
  validate: validateWebhooks,
};
