import type { JsonObject } from '../../../kube-api/json.ts';
import type { ClassHook, LifecycleHook } from '../../hooks/catalog.ts';
import type { LifecycleResponse } from '../../hooks/responses.ts';

/** A request on which a plan depends, and which only an extension can answer. */
export type Question =
  | { ask: 'extensions' }
  | { ask: 'lifecycle'; hook: LifecycleHook; body: JsonObject }
  | { ask: 'handler'; key: string; hook: ClassHook; handler: string; body: JsonObject };

/** The result of calling one handler: `response` is undefined if its failure policy is to continue without one. */
export type HandlerAnswer = { response: JsonObject | undefined } | { error: string };

export type LifecycleAnswer = LifecycleResponse | { error: string };

/**
 * What is known about the extensions of an installation while a pass is planned. Plans are pure: a plan that needs to
 * know more throws AnswerNeeded, the request is sent to the extensions, and the plan is computed again with the
 * response (decision 62).
 */
export interface Knowledge {
  /** The lifecycle hooks that are served for the namespace of the cluster; undefined: not determined yet. */
  served: ReadonlySet<string> | undefined;
  /** Whether extensions can be called: not in a preview. */
  canAsk: boolean;
  /**
   * Whether there is any extension at all. Without one, hooks leave no trace, as in upstream without its Runtime SDK.
   */
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

/** The knowledge of a plan without extensions. */
export const NO_EXTENSIONS: Knowledge = { ...NOTHING_KNOWN, served: new Set(), canAsk: false };

/** Ends a plan that cannot continue without a response. It is not a failure. */
export class AnswerNeeded extends Error {
  override readonly name = 'AnswerNeeded';
  readonly question: Question;

  constructor(question: Question) {
    super(`an answer is needed: ${question.ask}`);
    this.question = question;
  }
}
