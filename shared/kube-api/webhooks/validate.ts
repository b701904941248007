import { refusal } from './errors.ts';
import type { Hook } from './hook.ts';
import { type Asked, ask, type Call, formFor, questionFor } from './invocation.ts';
import type { Question } from './review.ts';

interface Outcome {
  warnings: readonly string[];
  error?: unknown;
}

/** Calls one webhook. Returns its warnings, or the error that refuses the request. */
const outcomeOf = async (call: Call, question: Question, asked: Asked): Promise<Outcome> => {
  try {
    const answer = await ask(call, question, asked);
    if (!answer) return { warnings: [] };
    const { warnings, allowed, result } = answer;
    return { warnings, ...(allowed ? {} : { error: refusal(call.hook.webhook.name ?? '', result) }) };
  } catch (error) {
    return { warnings: [], error };
  }
};

/**
 * Returns the webhooks to call, with their requests. Throws the error of the first webhook whose request cannot be
 * prepared.
 */
const questionsFor = async (hooks: readonly Hook[], asked: Asked): Promise<{ hook: Hook; question: Question }[]> => {
  const object = await asked.attempt.object?.();
  const results = await Promise.allSettled(hooks.map((hook) => questionFor(hook, asked, object)));
  return results.flatMap((result, index) => {
    if (result.status === 'rejected') throw result.reason;
    const hook = hooks[index];
    return hook && result.value ? [{ hook, question: result.value }] : [];
  });
};

/**
 * Calls all validating webhooks that apply to an attempt in parallel. Returns their warnings; `error` is the first
 * refusal in the order of the webhooks. As upstream, none is called if evaluating the match conditions of one fails.
 */
export const validateByHooks = async (
  hooks: readonly Hook[],
  asked: Asked,
): Promise<{ warnings: string[]; error?: unknown }> => {
  const concerned = hooks.filter((hook) => formFor(hook, asked) !== undefined);
  if (concerned.length === 0) return { warnings: [] };
  const questions = await questionsFor(concerned, asked);
  const outcomes = await Promise.all(
    questions.map(({ hook, question }, index) =>
      outcomeOf({ hook, phase: 'validating', round: 0, index }, question, asked),
    ),
  );
  const refused = outcomes.find(({ error }) => error !== undefined);
  const warnings = outcomes.flatMap((outcome) => outcome.warnings);
  return refused ? { warnings, error: refused.error } : { warnings };
};
