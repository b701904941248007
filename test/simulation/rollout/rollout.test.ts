import { describe, expect, it } from 'vitest';
import { play, transcript } from './run.ts';
import { STORIES } from './stories.ts';
import { isAvailable, machinesOf } from './world.ts';

const stories = Object.entries(STORIES);

describe('a rollout, with controllers in turn', () => {
  it.each(stories)('%s', async (name, story) => {
    const outcome = play(story);

    await expect(transcript(name, outcome)).toMatchFileSnapshot(`golden/${name}.txt`);
  });
});

/** Stories in which machines are lost. In these, the planner can only keep the bounds as far as it knows the state. */
const disturbed = /broken|break|deleted|on delete|do not come up/;

describe('a rollout, with controllers in any order', () => {
  it.each(stories)('%s', (name, story) => {
    const expected = play(story).world;
    for (let seed = 1; seed <= 4; seed += 1) {
      const { world, breaches } = play({ ...story, seed });

      if (!disturbed.test(name)) expect(breaches, `seed ${seed}`).toEqual([]);
      expect(world.machines.length, `seed ${seed}`).toBe(expected.machines.length);
      expect(world.machines.filter(isAvailable).length).toBe(expected.machines.filter(isAvailable).length);
      for (const set of world.sets) expect(machinesOf(world, set).length).toBe(set.spec.replicas);
    }
  });
});
