import {
  awsCodeOf,
  describeAwsError,
  isAlreadyExists,
  isDependencyViolation,
  isNotAttached,
  isNotFound,
  isPermanent,
  isQuotaExceeded,
  isSubnetConflict,
} from '../../../../shared/aws/errors.ts';
import { RefusedError } from '../../../../shared/errors.ts';
import type { EventRecorder } from '../../../../shared/events/recorder.ts';
import type { KubeObject } from '../../../../shared/kube-api/object.ts';
import { quotaAdvice } from '../../../../shared/providers/aws/api/quotas.ts';
import { mapConcurrently } from '../../../../shared/store/concurrency.ts';

/**
 * The result of an action. `exists`: there is already what it would create, and a later snapshot shows it. `unclear`:
 * AWS is not consistent yet, and the action may succeed later. `blocked`: another resource must be deleted first.
 * `failed`: AWS refused it permanently. `thrown`: the outcome is unknown.
 */
export interface Outcome<A = unknown> {
  action: A;
  verdict: 'done' | 'exists' | 'unclear' | 'blocked' | 'failed' | 'thrown';
  message: string;
  error?: unknown;
}

/** Carries out actions of one kind. `Call`: the calls that events name. */
export interface Actor<A extends { type: string }, Call extends string = string> {
  /** Makes the call and returns what was done, as a sentence for the event. */
  perform: (action: A) => Promise<string>;
  /** The part of the event's reason after `Successful` or `Failed`. */
  reasonOf: (action: A) => Call;
  recorder: EventRecorder<`Successful${Call}`, `Failed${Call}`>;
  /** The object of the events. */
  regarding: KubeObject;
}

/** The number of concurrent calls: a new network needs about sixty calls, and EC2 allows five more every second. */
const CONCURRENCY = 6;

const isRemoval = ({ type }: { type: string }): boolean =>
  /^(Delete|Detach|Disassociate|Release|Revoke|Terminate)/.test(type);

const verdictOn = (action: { type: string }, error: unknown): Outcome['verdict'] => {
  if (isRemoval(action) && (isNotFound(error) || isNotAttached(error))) return 'done';
  if (isRemoval(action) && isDependencyViolation(error)) return 'blocked';
  // Created by a concurrent run, or just now by this one.
  if (isAlreadyExists(error) || isSubnetConflict(error)) return 'exists';
  if (awsCodeOf(error) === 'IdempotentParameterMismatch') return 'unclear';
  if (isPermanent(error) || error instanceof RefusedError) return 'failed';
  // Used before AWS shows it everywhere.
  return isNotFound(error) ? 'unclear' : 'thrown';
};

const attempt = async <A extends { type: string }>(
  { perform }: Pick<Actor<A>, 'perform'>,
  action: A,
): Promise<Outcome<A>> => {
  try {
    return { action, verdict: 'done', message: await perform(action) };
  } catch (error) {
    const advice = isQuotaExceeded(error) ? quotaAdvice(error) : '';
    return { action, verdict: verdictOn(action, error), message: `${describeAwsError(error)}${advice}`, error };
  }
};

/** Records every change in the account and every refusal, but no mere delays. */
const record = async <A extends { type: string }, Call extends string>(
  { recorder, regarding, reasonOf }: Actor<A, Call>,
  { verdict, message, action, error }: Outcome<A>,
): Promise<void> => {
  if (verdict === 'done' && !error) await recorder.normal(regarding, `Successful${reasonOf(action)}`, message);
  if (verdict === 'failed') await recorder.warning(regarding, `Failed${reasonOf(action)}`, message);
};

/** Carries out all actions of a round concurrently, each with its event. Never throws for AWS's errors. */
export const act = <A extends { type: string }, Call extends string>(
  actor: Actor<A, Call>,
  actions: readonly A[],
): Promise<Outcome<A>[]> =>
  mapConcurrently(actions, CONCURRENCY, async (action) => {
    const outcome = await attempt(actor, action);
    await record(actor, outcome);
    return outcome;
  });

/** AWS's permanent refusals. Throws the error of a call with an unknown outcome: the retry observes first. */
export const failuresOf = <A>(outcomes: readonly Outcome<A>[]): Outcome<A>[] => {
  const thrown = outcomes.find(({ verdict }) => verdict === 'thrown');
  if (thrown) throw thrown.error;
  return outcomes.filter(({ verdict }) => verdict === 'failed');
};
