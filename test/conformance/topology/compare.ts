/** Compares the two sides of a story when nothing changes any more. */
import { isDeepStrictEqual } from 'node:util';
import { expect } from 'vitest';
import { systemClock } from '../../../shared/clock.ts';
import { PATIENCE_SECONDS } from '../../../shared/test-patience.ts';
import { areMachinesAtRest, isClusterAtRest, isTopologyAtRest } from './rest.ts';
import { readCluster, readState, type Seen, type Side, type State } from './state.ts';
import type { Any, Step, Story } from './story.ts';

/** The two sides of a comparison, upstream first. */
export interface Sides {
  upstream: Side;
  laptop: Side;
}

export const onBoth = <T>({ upstream, laptop }: Sides, play: (side: Side) => Promise<T>): Promise<[T, T]> =>
  Promise.all([play(upstream), play(laptop)] as const);

/** The interval between two checks. Six stories are checked on two servers, each time with about ten lists. */
const LOOK_MILLISECONDS = 1500;

/** Reads until `judge` is satisfied. Resolves with the last state if this does not happen in time. */
export const lookUntil = async <T>(look: () => Promise<T>, judge: (seen: T) => boolean): Promise<T> => {
  const end = Date.now() + PATIENCE_SECONDS * 1000;
  for (;;) {
    const seen = await look();
    if (judge(seen) || Date.now() > end) return seen;
    await systemClock.sleep(LOOK_MILLISECONDS);
  }
};

const REST = 'ReconcileSucceeded';

/**
 * The conditions of a Cluster in short form, because the output of a failure is limited to about a thousand characters.
 */
const reported = ({ metadata, status = {} }: Any): string => {
  const conditions = (status.conditions ?? []).map(({ type, status: is, reason, observedGeneration: seen }: Any) =>
    [type, is, reason, seen === metadata.generation ? '' : `of generation ${seen}`].filter(Boolean).join(' '),
  );
  const seen = `generation ${metadata.generation}, observed ${status.observedGeneration}`;
  return [seen, ...conditions.filter((it: string) => !it.startsWith('Available')).sort(), ''].join('; ');
};

type Expected = Required<Pick<Step, 'reason' | 'isQuiet' | 'isOfClass'>>;

/**
 * The part of the state whose change shows that upstream has reacted to a step. The status of a class changes before
 * any of its clusters does; in between, both sides may be equal and at rest in the state before the step.
 */
const reactionIn = ({ classStatus, ...others }: Seen, isOfClass: boolean): unknown =>
  isOfClass ? classStatus : others;

/** The parts of a side that are compared if its topology reports `reason`. */
const judged = (story: Story, { seen }: State, reason: string): Partial<Seen> =>
  story.failsWhole && reason !== REST ? { progress: seen.progress, classStatus: seen.classStatus } : seen;

/** A comparison, which remembers upstream's state at the previous comparison. */
export type Compare = (expected: Partial<Expected>) => Promise<void>;

export const makeCompare = (story: Story, sides: Sides): Compare => {
  let before: Seen | undefined;

  const haveMachines = story.upstream !== 'AWS';

  /** What is not settled yet, by name, for the message of a timeout. */
  const findUnsettled = ([theirs, ours]: readonly [State, State], expected: Expected): string[] => {
    const { reason, isQuiet, isOfClass } = expected;
    const isUnchanged =
      before !== undefined && isDeepStrictEqual(reactionIn(before, isOfClass), reactionIn(theirs.seen, isOfClass));
    const checks = {
      "upstream's machines are not at rest": haveMachines && !areMachinesAtRest(theirs),
      'our machines are not at rest': haveMachines && !areMachinesAtRest(ours),
      'nothing has changed upstream': !isQuiet && isUnchanged,
      'the two sides differ': !isDeepStrictEqual(judged(story, ours, reason), judged(story, theirs, reason)),
      'we have more templates than upstream': ours.templates > theirs.templates,
    };
    return Object.entries(checks).flatMap(([what, isSo]) => (isSo ? [what] : []));
  };

  /** What the two Clusters report while they are not settled. Their objects are read only when both are. */
  const findBusy = async ({ reason }: Expected): Promise<string[]> => {
    const clusters = await onBoth(sides, (side) => readCluster(side, story));
    return clusters.flatMap((cluster: Any, index) => {
      if (isTopologyAtRest(cluster, reason) && (!haveMachines || isClusterAtRest(cluster))) return [];
      return [`${index === 0 ? "upstream's" : 'our'} Cluster is not at rest: ${reported(cluster)}`];
    });
  };

  /** Waits until both sides are settled. Returns their states and what is not settled at the time limit. */
  const settled = async (expected: Expected): Promise<{ states: readonly [State, State]; unsettled: string[] }> => {
    const read = () => onBoth(sides, (side) => readState(side, story));
    const look = async () => {
      const busy = await findBusy(expected);
      if (busy.length > 0) return { states: undefined, unsettled: busy };
      const states = await read();
      return { states, unsettled: findUnsettled(states, expected) };
    };
    const { states, unsettled } = await lookUntil(look, (seen) => seen.unsettled.length === 0);
    return { states: states ?? (await read()), unsettled };
  };

  return async ({ reason = REST, isQuiet = false, isOfClass = false }) => {
    const {
      states: [theirs, ours],
      unsettled,
    } = await settled({ reason, isQuiet, isOfClass });
    before = theirs.seen;
    expect(ours.seen.progress).toEqual(theirs.seen.progress);
    expect(judged(story, ours, reason)).toEqual(judged(story, theirs, reason));
    expect(ours.seen.progress.reconciled).toContain(reason);
    expect(ours.templates).toBeLessThanOrEqual(theirs.templates);
    // The sides may agree although they have not reached the final state of the step.
    expect(unsettled).toEqual([]);
  };
};
