import type { Admission, AdmissionAttempt } from '../registry/admission-control.ts';
import type { WriteRequest } from '../server/for-user.ts';
import { StatusError } from '../status-error.ts';
import type { Hook } from './hook.ts';
import { askedOf, type Ports } from './invocation.ts';
import { mutateByHooks } from './mutate.ts';
import { validateByHooks } from './validate.ts';

/** All configured webhooks. */
export interface Configured {
  mutating: readonly Hook[];
  validating: readonly Hook[];
}

export interface WebhookOptions extends Ports {
  configured(): Promise<Configured>;
}

/** Admits one request by the configured webhooks. */
export const admitByWebhooks = (options: WebhookOptions, context: WriteRequest): Admission => {
  const asked = (attempt: AdmissionAttempt) => askedOf(attempt, context, options);
  return {
    mutate: async (attempt) => {
      const { mutating } = await options.configured();
      const mutated = mutating.length > 0 ? await mutateByHooks(mutating, asked(attempt)) : undefined;
      return mutated ?? { warnings: [] };
    },
    validate: async (attempt) => {
      const { validating } = await options.configured();
      if (validating.length === 0) return [];
      const { warnings, error } = await validateByHooks(validating, asked(attempt));
      if (error === undefined) return warnings;
      if (error instanceof StatusError) error.warnings = [...warnings, ...error.warnings];
      throw error;
    },
  };
};
