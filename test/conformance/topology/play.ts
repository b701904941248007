/** Lets a story happen on both sides, act by act, and compares what came of each. */
import { expect } from 'vitest';
import { systemClock } from '../../../shared/clock.ts';
import { PATIENCE_SECONDS } from '../../../shared/test-patience.ts';
import { change, createAll, refusalOf } from './change.ts';
import {
  areMachinesAtRest,
  areSame,
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
  play(): Promise<void>;
}

const LOOK_MILLISECONDS = 500;

/** Looks until `judge` is content; resolves with what was seen last where it never is. */
const lookUntil = async <T>(look: () => Promise<T>, judge: (seen: T) => boolean): Promise<T> => {
  const end = Date.now() + PATIENCE_SECONDS * 1000;
  for (;;) {
    const seen = await look();
    if (judge(seen) || Date.now() > end) return seen;
    await systemClock.sleep(LOOK_MILLISECONDS);
  }
};

const REST = 'ReconcileSucceeded';

/** The acts of a story, to be played in their order. */
export const actsOf = (story: Story, { upstream, laptop }: Sides): Act[] => {
  const sides = [upstream, laptop] as const;
  const onBoth = <T>(play: (side: Side) => Promise<T>): Promise<[T, T]> =>
    Promise.all([play(upstream), play(laptop)] as const);
  let before: Seen | undefined;

  const areAtRest = ([theirs, ours]: readonly [State, State], { isQuiet }: Pick<Step, 'isQuiet'>): boolean => {
    const haveMachines = story.upstream === 'AWS' || [theirs, ours].every(areMachinesAtRest);
    const isNews = isQuiet || !areSame(before, theirs.seen);
    return haveMachines && isNews && areSame(ours.seen, theirs.seen) && ours.templates <= theirs.templates;
  };

  /** Both, once upstream has changed something, both are at rest, and they agree; or as they are when time is over. */
  const settled = async (reason: string, step: Pick<Step, 'isQuiet'>): Promise<readonly [State, State]> => {
    const look = async () => {
      const clusters = await onBoth((side) => readCluster(side, story));
      if (!clusters.every((cluster) => isTopologyAtRest(cluster, reason))) return undefined;
      return onBoth((side) => readState(side, story));
    };
    const seen = await lookUntil(look, (states) => states !== undefined && areAtRest(states, step));
    return seen ?? onBoth((side) => readState(side, story));
  };

  const compare = async ({ reason = REST, isQuiet = false }: Pick<Step, 'reason' | 'isQuiet'>): Promise<void> => {
    const [theirs, ours] = await settled(reason, { isQuiet });
    before = theirs.seen;
    expect(ours.seen.progress).toEqual(theirs.seen.progress);
    expect(ours.seen).toEqual(theirs.seen);
    expect(ours.seen.progress.reconciled).toContain(reason);
    expect(ours.templates).toBeLessThanOrEqual(theirs.templates);
  };

  const create: Act = {
    what: 'becomes the objects that upstream makes of it',
    play: async () => {
      await onBoth(({ api, provider }) => createAll(api, story.objects(provider), story.name));
      await compare(story.reason === undefined ? {} : { reason: story.reason });
    },
  };

  const refusals = (story.refusals ?? []).map(
    (refusal): Act => ({
      what: `refuses ${refusal.what} in the words of upstream`,
      play: async () => {
        const [theirs, ours] = await onBoth(({ api }) => refusalOf(api, story, refusal));
        expect(theirs).not.toBe('nothing');
        expect(ours).toBe(theirs);
      },
    }),
  );

  const steps = story.steps.map(
    (step): Act => ({
      what: `follows ${step.what} as upstream does`,
      play: async () => {
        await Promise.all(sides.map(({ api }) => change(api, story, step)));
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
