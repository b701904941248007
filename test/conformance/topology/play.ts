/** Lets a story happen on both sides, act by act, and compares what came of each. */
import { isDeepStrictEqual } from 'node:util';
import { expect } from 'vitest';
import { systemClock } from '../../../shared/clock.ts';
import { PATIENCE_SECONDS } from '../../../shared/test-patience.ts';
import { change, createAll, refusalOf, withDefaults } from './change.ts';
import {
  areMachinesAtRest,
  isTopologyAtRest,
  readCluster,
  readLeft,
  readState,
  type Seen,
  type Side,
  type State,
} from './state.ts';
import { pathOf, type Step, type Story } from './story.ts';

export interface Sides {
  upstream: Side;
  laptop: Side;
}

export interface Act {
  what: string;
  /** What follows does not depend on it. */
  isByTheWay?: boolean;
  play(): Promise<void>;
}

const LOOK_MILLISECONDS = 500;

/** Looks until `judge` is content; resolves with what was seen last where it never is. */
const lookUntil = async <T>(look: () => Promise<T>, judge: (seen: T) => boolean): Promise<T> => {
  const end = Date.now() + Number(process.env.STEP ?? PATIENCE_SECONDS) * 1000;
  for (;;) {
    const seen = await look();
    if (judge(seen) || Date.now() > end) return seen;
    await systemClock.sleep(LOOK_MILLISECONDS);
  }
};

const REST = 'ReconcileSucceeded';

type Expected = Required<Pick<Step, 'reason' | 'isQuiet'>>;

/** The acts of a story, to be played in their order. */
export const actsOf = (story: Story, { upstream, laptop }: Sides): Act[] => {
  const sides = [upstream, laptop] as const;
  const onBoth = <T>(play: (side: Side) => Promise<T>): Promise<[T, T]> =>
    Promise.all([play(upstream), play(laptop)] as const);
  let before: Seen | undefined;

  /** What is compared of a side where the topology says `reason`. */
  const judged = ({ seen }: State, reason: string): Partial<Seen> =>
    story.failsWhole && reason !== REST ? { progress: seen.progress, classStatus: seen.classStatus } : seen;

  const areAtRest = ([theirs, ours]: readonly [State, State], { reason, isQuiet }: Expected): boolean => {
    const haveMachines = story.upstream === 'AWS' || [theirs, ours].every(areMachinesAtRest);
    const isNews = isQuiet || !isDeepStrictEqual(before, theirs.seen);
    const agree = isDeepStrictEqual(judged(ours, reason), judged(theirs, reason));
    return haveMachines && isNews && agree && ours.templates <= theirs.templates;
  };

  /** Both, once upstream has changed something, both are at rest, and they agree; or as they are when time is over. */
  const settled = async (expected: Expected): Promise<readonly [State, State]> => {
    const look = async () => {
      const clusters = await onBoth((side) => readCluster(side, story));
      if (!clusters.every((cluster) => isTopologyAtRest(cluster, expected.reason))) return undefined;
      return onBoth((side) => readState(side, story));
    };
    const seen = await lookUntil(look, (states) => states !== undefined && areAtRest(states, expected));
    return seen ?? onBoth((side) => readState(side, story));
  };

  const compare = async ({ reason = REST, isQuiet = false }: Pick<Step, 'reason' | 'isQuiet'>): Promise<void> => {
    const [theirs, ours] = await settled({ reason, isQuiet });
    before = theirs.seen;
    expect(ours.seen.progress).toEqual(theirs.seen.progress);
    expect(judged(ours, reason)).toEqual(judged(theirs, reason));
    expect(ours.seen.progress.reconciled).toContain(reason);
    expect(ours.templates).toBeLessThanOrEqual(theirs.templates);
  };

  const create: Act = {
    what: 'becomes the objects that upstream makes of it',
    play: async () => {
      const stored = await createAll(laptop.api, story.objects(laptop.provider), story.name);
      await createAll(upstream.api, withDefaults(story.objects(upstream.provider), stored), story.name);
      await compare(story.reason === undefined ? {} : { reason: story.reason });
    },
  };

  const refusals = (story.refusals ?? []).map(
    (refusal): Act => ({
      what: refusal.isAllowed ? `allows ${refusal.what}` : `refuses ${refusal.what} in the words of upstream`,
      isByTheWay: true,
      play: async () => {
        const [theirs, ours] = await onBoth(({ api }) => refusalOf(api, story, refusal));
        expect(theirs === 'nothing', theirs).toBe(refusal.isAllowed === true);
        expect(ours).toBe(theirs);
      },
    }),
  );

  const steps = story.steps.map(
    (step): Act => ({
      what: `follows ${step.what} as upstream does`,
      play: async () => {
        for (const edit of [step, ...(step.then ? [step.then] : [])])
          await onBoth(({ api }) => change(api, story, edit));
        await compare(step);
      },
    }),
  );

  const remove: Act = {
    what: 'is gone after its deletion',
    play: async () => {
      const path = pathOf({ plural: 'clusters', name: story.cluster }, story);
      await onBoth(({ api }) => api.send('DELETE', path));
      const left = await lookUntil(
        () => onBoth((side) => readLeft(side, story)),
        ([theirs, ours]) => !theirs.cluster && !ours.cluster && ours.owned.length === 0,
      );
      // What else is left upstream waits for Kubernetes' garbage collector, which does not run here.
      expect(left.map(({ cluster }) => cluster)).toEqual([undefined, undefined]);
      expect(left[1].owned).toEqual([]);
    },
  };

  return [create, ...refusals, ...steps, remove];
};
