import { refusal } from './errors.ts';
import type { Hook } from './hook.ts';
import { type Asked, ask, formFor, questionFor } from './invocation.ts';

/** Asks one webhook; gives its warnings, or what it refuses the request with. */
const outcomeOf = async (hook: Hook, asked: Asked): Promise<{ warnings: readonly string[]; error?: unknown }> => {
  try {
    const question = await questionFor(hook, asked, await asked.attempt.object?.());
    const answer = question && (await ask(hook, question, asked, false));
    if (!answer) return { warnings: [] };
    const { warnings, allowed, result } = answer;
    return { warnings, ...(allowed ? {} : { error: refusal(hook.webhook.name ?? '', result) }) };
  } catch (error) {
    return { warnings: [], error };
  }
};

/**
 * Asks all validating webhooks that an attempt concerns, at once. Gives their warnings; `error` is the first refusal, in
 * the order of the webhooks.
 */
export const validateByHooks = async (
  hooks: readonly Hook[],
  asked: Asked,
): Promise<{ warnings: string[]; error?: unknown }> => {
  const concerned = hooks.filter((hook) => formFor(hook, asked) !== undefined);
  const outcomes = await Promise.all(concerned.map((hook) => outcomeOf(hook, asked)));
  const refused = outcomes.find(({ error }) => error !== undefined);
  const warnings = outcomes.flatMap((outcome) => outcome.warnings);
  return refused ? { warnings, error: refused.error } : { warnings };
};
