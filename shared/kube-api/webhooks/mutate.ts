import { isDeepStrictEqual } from 'node:util';
import { decodeObject } from '../decode.ts';
import type { JsonObject } from '../json.ts';
import type { KubeObject } from '../object.ts';
import { applyJsonPatch } from '../patch/json-patch.ts';
import { applyDefaults } from '../schema/default.ts';
import { withMetadata } from '../schema/metadata.ts';
import { StatusError } from '../status-error.ts';
import { internalError, refusal, WebhookFault } from './errors.ts';
import type { Hook } from './hook.ts';
import { type Asked, ask, type Call, formFor, questionFor, tolerate } from './invocation.ts';
import { type Answer, operationsIn, type Question } from './review.ts';

const applied = (shown: KubeObject, operations: readonly unknown[]): unknown => {
  try {
    return applyJsonPatch({ ...shown } as JsonObject, operations);
  } catch (error) {
    if (error instanceof StatusError) throw internalError(error.message);
    throw error;
  }
};

/**
 * Applies the patch of a webhook: drops fields that are not in the schema, and applies defaults. Throws WebhookFault
 * for a patch that cannot be decoded.
 */
const patched = async (
  { hook }: Call,
  asked: Asked,
  question: Question,
  answer: Answer,
  object: KubeObject | undefined,
): Promise<KubeObject | undefined> => {
  const operations = operationsIn(answer);
  if (operations.length === 0) return object;
  const { name = '' } = hook.webhook;
  if (!object || !question.object) {
    const why = 'attempted to modify the object, which is not supported for this operation';
    throw internalError(`admission webhook ${JSON.stringify(name)} ${why}`);
  }
  if (answer.patchType !== 'JSONPatch') {
    throw new WebhookFault(`unsupported patch type ${JSON.stringify(answer.patchType)}`);
  }
  const { resource } = asked.attempt;
  const changed = await question.form.take(applied(question.object, operations) as KubeObject, object);
  const decoded = decodeObject(resource, changed, { fieldValidation: 'Ignore' }).object;
  return applyDefaults(withMetadata(resource.schema), decoded) as KubeObject;
};

interface Progress {
  object: KubeObject | undefined;
  warnings: string[];
  /** Webhooks that were called and allow another call if the object changes. */
  repeatable: Set<string>;
  /** Those of them that must be called again, because another webhook changed the object after their call. */
  again: Set<string>;
}

/** Returns the object after a webhook's answer. */
const afterAnswer = async (
  call: Call,
  asked: Asked,
  question: Question,
  answer: Answer,
  object: KubeObject | undefined,
): Promise<KubeObject | undefined> => {
  try {
    return await patched(call, asked, question, answer, object);
  } catch (error) {
    tolerate(error, call, asked);
    return object;
  }
};

const callOne = async (call: Call, asked: Asked, progress: Progress): Promise<void> => {
  const { hook } = call;
  const question = await questionFor(hook, asked, progress.object);
  if (!question) return;
  const answer = await ask(call, question, asked);
  progress.warnings.push(...(answer?.warnings ?? []));
  if (answer && !answer.allowed) throw refusal(hook.webhook.name ?? '', answer.result);
  const next = answer ? await afterAnswer(call, asked, question, answer, progress.object) : progress.object;
  if (!isDeepStrictEqual(next, progress.object)) {
    progress.object = next;
    for (const id of progress.repeatable) progress.again.add(id);
    progress.repeatable.clear();
  }
  if (hook.webhook.reinvocationPolicy === 'IfNeeded') progress.repeatable.add(hook.id);
};

/**
 * Calls the mutating webhooks that apply to an attempt, one after the other. Webhooks with the reinvocation policy
 * IfNeeded are called once more if another webhook has changed the object since; no webhook is called a third time
 * (k8s.io/apiserver, plugin/webhook/mutating). A refusal includes the warnings so far.
 */
export const mutateByHooks = async (
  hooks: readonly Hook[],
  asked: Asked,
): Promise<{ object: KubeObject | undefined; warnings: string[] } | undefined> => {
  const concerned = hooks
    .map((hook, index): Call => ({ hook, phase: 'mutation', round: 0, index }))
    .filter(({ hook }) => formFor(hook, asked) !== undefined);
  if (concerned.length === 0) return undefined;
  const progress: Progress = {
    object: await asked.attempt.object?.(),
    warnings: [],
    repeatable: new Set(),
    again: new Set(),
  };
  try {
    for (const call of concerned) await callOne(call, asked, progress);
    // A change in this round also causes calls of later webhooks.
    for (const call of concerned) {
      if (progress.again.has(call.hook.id)) await callOne({ ...call, round: 1 }, asked, progress);
    }
  } catch (error) {
    if (error instanceof StatusError) error.warnings = [...progress.warnings, ...error.warnings];
    throw error;
  }
  return { object: progress.object, warnings: progress.warnings };
};
