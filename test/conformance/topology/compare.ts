/** Compares the two sides of a story once nothing moves any more. */
import { isDeepStrictEqual } from 'node:util';
import { expect } from 'vitest';
import { systemClock } from '../../../shared/clock.ts';
import { PATIENCE_SECONDS } from '../../../shared/test-patience.ts';
import {
  areMachinesAtRest,
  isClusterAtRest,
  isTopologyAtRest,
  readCluster,
  readState,
  type Seen,
  type Side,
  type State,
} from './state.ts';
import type { Any, Step, Story } from './story.ts';

/** Upstream before ours. */
export interface Sides {
  upstream: Side;
  laptop: Side;
}

export const onBoth = <T>({ upstream, laptop }: Sides, play: (side: Side) => Promise<T>): Promise<[T, T]> =>
  Promise.all([play(upstream), play(laptop)] as const);

/** Six stories are looked at on two servers, by about ten lists each where nothing moves any more. */
const LOOK_MILLISECONDS = 1500;

/** Looks until `judge` is content; resolves with what was seen last where it never is. */
export const lookUntil = async <T>(look: () => Promise<T>, judge: (seen: T) => boolean): Promise<T> => {
  const end = Date.now() + PATIENCE_SECONDS * 1000;
  for (;;) {
    const seen = await look();
    if (judge(seen) || Date.now() > end) return seen;
    await systemClock.sleep(LOOK_MILLISECONDS);
  }
};

const REST = 'ReconcileSucceeded';

type Expected = Required<Pick<Step, 'reason' | 'isQuiet'>>;

/** What is compared of a side where the topology says `reason`. */
const judged = (story: Story, { seen }: State, reason: string): Partial<Seen> =>
  story.failsWhole && reason !== REST ? { progress: seen.progress, classStatus: seen.classStatus } : seen;

/** What comparing again and again needs to know: what there was of upstream before. */
export type Compare = (expected: Partial<Expected>) => Promise<void>;

export const makeCompare = (story: Story, sides: Sides): Compare => {
  let before: Seen | undefined;

  const haveMachines = story.upstream !== 'AWS';

  const areAtRest = ([theirs, ours]: readonly [State, State], { reason, isQuiet }: Expected): boolean => {
    const rest = !haveMachines || [theirs, ours].every(areMachinesAtRest);
    const isNews = isQuiet || !isDeepStrictEqual(before, theirs.seen);
    const agree = isDeepStrictEqual(judged(story, ours, reason), judged(story, theirs, reason));
    return rest && isNews && agree && ours.templates <= theirs.templates;
  };

  /** Both, once upstream has changed something, both are at rest, and they agree; or as they are when time is over. */
  const settled = async (expected: Expected): Promise<readonly [State, State]> => {
    const look = async () => {
      const clusters = await onBoth(sides, (side) => readCluster(side, story));
      const rest = (cluster: Any) =>
        isTopologyAtRest(cluster, expected.reason) && (!haveMachines || isClusterAtRest(cluster));
      if (!clusters.every(rest)) return undefined;
      return onBoth(sides, (side) => readState(side, story));
    };
    const seen = await lookUntil(look, (states) => states !== undefined && areAtRest(states, expected));
    return seen ?? onBoth(sides, (side) => readState(side, story));
  };

  return async ({ reason = REST, isQuiet = false }) => {
    const [theirs, ours] = await settled({ reason, isQuiet });
    before = theirs.seen;
    expect(ours.seen.progress).toEqual(theirs.seen.progress);
    expect(judged(story, ours, reason)).toEqual(judged(story, theirs, reason));
    expect(ours.seen.progress.reconciled).toContain(reason);
    expect(ours.templates).toBeLessThanOrEqual(theirs.templates);
  };
};
