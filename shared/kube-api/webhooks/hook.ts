import type { Program } from '../cel/compile.ts';
import { compileCondition } from './conditions.ts';
import type { Webhook, WebhookConfiguration } from './configuration.ts';

/** One webhook of a configuration. */
export interface Hook {
  /** Unique among all webhooks, because two configurations may have webhooks with the same name. */
  id: string;
  configuration: string;
  webhook: Webhook;
  /** The match conditions, compiled on first use. */
  conditions(): readonly { expression: string; program: Program | { fault: string } }[];
}

const hookOf = (configuration: string, webhook: Webhook, index: number): Hook => {
  let compiled: ReturnType<Hook['conditions']> | undefined;
  return {
    id: `${configuration}/${index}`,
    configuration,
    webhook,
    conditions: () => {
      compiled ??= (webhook.matchConditions ?? []).map(({ expression = '' }) => ({
        expression,
        program: compileCondition(expression),
      }));
      return compiled;
    },
  };
};

/** The webhooks of all configurations in the order of their calls: sorted by the configuration's name. */
export const hooksOf = (configurations: readonly WebhookConfiguration[]): readonly Hook[] =>
  configurations
    .toSorted((a, b) => (a.metadata.name < b.metadata.name ? -1 : 1))
    .flatMap(({ metadata, webhooks = [] }) => webhooks.map((webhook, index) => hookOf(metadata.name, webhook, index)));
