import type { Clock } from '../../../../shared/clock.ts';
import { TransientError } from '../../../../shared/errors.ts';
import { failuresOf, type Outcome } from './act.ts';

/** More rounds than the deepest chain of dependencies has steps. */
const MAX_ROUNDS = 24;

/** Rounds in a row without progress. The waits between them add up to 7.5 s; then the workflow's retry takes over. */
const MAX_IDLE_ROUNDS = 4;

/** Doubled after each round: what AWS has not shown after seconds may take minutes, and each round reads everything. */
const idleMilliseconds = (idle: number): number => 500 * 2 ** (idle - 1);

/** The result of a planner. If there is nothing to do and nothing to wait for, the goal is reached. */
export interface Plan<A> {
  actions: readonly A[];
  /** Resources that were just requested and are not visible yet. */
  waiting: readonly string[];
  /** What a user must change before the step can continue. */
  problem?: { message: string };
}

export interface Settling<S, A, P extends Plan<A>> {
  /**
   * Reads the current state; undefined ends the run, because of a deletion. After a round without progress (`isIdle`),
   * nothing may come from a cache.
   */
  look: (isIdle: boolean) => Promise<S | undefined>;
  plan: (situation: S) => P;
  act: (situation: S, plan: P) => Promise<Outcome<A>[]>;
  clock: Clock;
}

export interface Settled<S, A, P extends Plan<A>> {
  situation: S;
  plan: P;
  /** AWS's permanent refusals; empty if the goal is reached. */
  failures: Outcome<A>[];
}

const describeOpen = (plan: Plan<unknown>, outcomes: readonly Outcome[]): string => {
  const late = outcomes.filter(({ verdict }) => verdict !== 'done').map(({ message }) => message);
  const waiting = plan.waiting.map((thing) => `${thing} is not visible yet`);
  return [...new Set([...late, ...waiting])].join('; ') || 'AWS does not show the last changes yet';
};

/** Whether there is nothing to do, and nothing to wait for except a user. */
const isAtRest = ({ actions, waiting, problem }: Plan<unknown>): boolean =>
  actions.length === 0 && (waiting.length === 0 || problem !== undefined);

/**
 * Acts, but does not repeat a creation in this run to which AWS has answered that the resource exists: AWS only has to
 * show it, and each repetition would use a call of a small bucket.
 */
const skippingExisting = <A>() => {
  const existing = new Map<string, Outcome<A>>();
  return async (
    { actions }: Pick<Plan<A>, 'actions'>,
    act: (actions: readonly A[]) => Promise<Outcome<A>[]>,
  ): Promise<Outcome<A>[]> => {
    const skipped = actions.flatMap((action) => existing.get(JSON.stringify(action)) ?? []);
    const acted = await act(actions.filter((action) => !existing.has(JSON.stringify(action))));
    for (const outcome of acted)
      if (outcome.verdict === 'exists') existing.set(JSON.stringify(outcome.action), outcome);
    return [...acted, ...skipped];
  };
};

/**
 * Observes, plans and acts until nothing is left to do, an action is refused, or only a problem is left. Throws
 * TransientError if AWS does not become consistent in time, and the errors of calls with an unknown outcome.
 */
export const settle = async <S, A, P extends Plan<A>>({
  look,
  plan,
  act,
  clock,
}: Settling<S, A, P>): Promise<Settled<S, A, P> | undefined> => {
  const actOnce = skippingExisting<A>();
  let idle = 0;
  let before = '';
  let open = '';
  for (let round = 0; round < MAX_ROUNDS && idle <= MAX_IDLE_ROUNDS; round += 1) {
    if (idle > 0) await clock.sleep(idleMilliseconds(idle));
    const situation = await look(idle > 0);
    if (situation === undefined) return undefined;
    const next = plan(situation);
    if (isAtRest(next)) return { situation, plan: next, failures: [] };

    const outcomes = await actOnce(next, (actions) => act(situation, { ...next, actions }));
    const failures = failuresOf(outcomes);
    if (failures.length > 0) return { situation, plan: next, failures };

    const signature = JSON.stringify(next);
    const hasProgressed = signature !== before && outcomes.some(({ verdict }) => verdict === 'done');
    before = signature;
    open = describeOpen(next, outcomes);
    idle = hasProgressed ? 0 : idle + 1;
  }
  throw new TransientError(`the infrastructure is not complete yet: ${open}`);
};
