import type { JsonObject } from '../../../kube-api/json.ts';
import type { ClassHook, LifecycleHook } from '../../hooks/catalog.ts';
import type { LifecycleResponse } from '../../hooks/responses.ts';

/** A question that a plan depends on, and that only an extension can answer. */
export type Question =
  | { ask: 'extensions' }
  | { ask: 'lifecycle'; hook: LifecycleHook; body: JsonObject }
  | { ask: 'handler'; key: string; hook: ClassHook; handler: string; body: JsonObject };

/** The answer to a call of one handler: `response` is undefined where its failure policy is to go on without. */
export type HandlerAnswer = { response: JsonObject | undefined } | { error: string };

export type LifecycleAnswer = LifecycleResponse | { error: string };

/**
 * What is known of the extensions of an installation while a pass is planned. Plans are pure: one that needs to know more
 * throws AnswerNeeded, the question is put to the extensions, and the plan is made again with the answer (decision 62).
 */
export interface Knowledge {
  /** The lifecycle hooks that are served for the namespace of the cluster; undefined: nobody has looked yet. */
  served: ReadonlySet<string> | undefined;
  /** Whether extensions can be asked: not in a preview. */
  canAsk: boolean;
  /** Whether there is any extension at all. Without one hooks leave no trace, as upstream without its Runtime SDK. */
  isEnabled: boolean;
  lifecycle: ReadonlyMap<LifecycleHook, LifecycleAnswer>;
  handlers: ReadonlyMap<string, HandlerAnswer>;
}

export const NOTHING_KNOWN: Knowledge = {
  served: undefined,
  canAsk: true,
  isEnabled: false,
  lifecycle: new Map(),
  handlers: new Map(),
};

/** What a plan with no extensions knows. */
export const NO_EXTENSIONS: Knowledge = { ...NOTHING_KNOWN, served: new Set(), canAsk: false };

/** Ends a plan that cannot go on without an answer. It is no failure. */
export class AnswerNeeded extends Error {
  override readonly name = 'AnswerNeeded';
  readonly question: Question;

  constructor(question: Question) {
    super(`an answer is needed: ${question.ask}`);
    this.question = question;
  }
}
