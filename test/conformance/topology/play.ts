/** Runs a story on both sides, act by act, and compares the results after each act. */
import { expect } from 'vitest';
import { change, createAll, refusalOf, withDefaults } from './change.ts';
import { type Compare, lookUntil, makeCompare, onBoth, type Sides } from './compare.ts';
import { readLeft } from './state.ts';
import { pathOf, type Refusal, type Step, type Story } from './story.ts';

export interface Act {
  what: string;
  /** Whether the following acts do not depend on this act. */
  isByTheWay?: boolean;
  play(): Promise<void>;
}

interface Scene {
  story: Story;
  sides: Sides;
  compare: Compare;
}

const creation = ({ story, sides, compare }: Scene): Act => ({
  what: 'becomes the objects that upstream makes of it',
  play: async () => {
    const { upstream, laptop } = sides;
    const stored = await createAll(laptop.api, story.objects(laptop.provider), story.name);
    await createAll(upstream.api, withDefaults(story.objects(upstream.provider), stored), story.name);
    await compare(story.reason === undefined ? {} : { reason: story.reason });
  },
});

const refusing = ({ story, sides }: Scene, refusal: Refusal): Act => ({
  what: refusal.isAllowed ? `allows ${refusal.what}` : `refuses ${refusal.what} in the words of upstream`,
  isByTheWay: true,
  play: async () => {
    const [theirs, ours] = await onBoth(sides, ({ api }) => refusalOf(api, story, refusal));
    expect(theirs === 'nothing', theirs).toBe(refusal.isAllowed === true);
    expect(ours).toBe(theirs);
  },
});

const following = ({ story, sides, compare }: Scene, step: Step): Act => ({
  what: `follows ${step.what} as upstream does`,
  play: async () => {
    const edits = [step, ...(step.afterwards ? [step.afterwards] : [])];
    for (const edit of edits) await onBoth(sides, ({ api }) => change(api, story, edit));
    await compare(step);
  },
});

const deletion = ({ story, sides }: Scene): Act => ({
  what: 'is gone after its deletion',
  play: async () => {
    const path = pathOf({ plural: 'clusters', name: story.cluster }, story);
    await onBoth(sides, ({ api }) => api.send('DELETE', path));
    const [theirs, ours] = await lookUntil(
      () => onBoth(sides, (side) => readLeft(side, story)),
      (left) => left.every(({ cluster }) => !cluster) && left[1].owned.length === 0,
    );
    expect([theirs.cluster, ours.cluster]).toEqual([undefined, undefined]);
    // Objects that are left upstream wait for Kubernetes' garbage collector, which does not run there.
    expect(ours.owned).toEqual([]);
  },
});

/** The acts of a story in the order in which they run. */
export const actsOf = (story: Story, sides: Sides): Act[] => {
  const scene = { story, sides, compare: makeCompare(story, sides) };
  return [
    creation(scene),
    ...(story.refusals ?? []).map((refusal) => refusing(scene, refusal)),
    ...story.steps.map((step) => following(scene, step)),
    deletion(scene),
  ];
};
