import { expect, it } from 'vitest';
import { LEASE_SECONDS } from '../../../functions/cluster/objects/begin.ts';
import { START_GRACE_MS } from '../../../shared/store/work/cluster-leases.ts';
import { explore, type Play, type Stage } from './explore.ts';
import { type AlterUpdate, BEGINNING, CLUSTER, makePasses, type PassesOptions } from './passes.ts';

const ignored = () => ({ ends: 0, needed: 0 });

/** Users who each change the cluster once and touch it, and the resulting passes, all with the real code. */
const users =
  (count: number, sweeps: { ends: number; needed: number }, options: PassesOptions = {}) =>
  (stage: Stage): Play => {
    const passes = makePasses(stage, options);
    const { scene, clock, item } = passes;
    for (let user = 0; user < count; user += 1)
      stage.begin('user', async (step) => {
        await step('changes what is desired', () => {
          scene.desired += 1;
        });
        await passes.systemOf(step).touch(CLUSTER, { isNews: true });
      });

    const isCarriedOut = () => scene.converged === scene.desired;
    const isRequested = () => (item()?.wanted ?? 0) >= scene.desired;
    const isUndisturbed = (crashed: number) => crashed === 0 && clock.now().getTime() === BEGINNING;
    /** Simulates a sweep while nothing else runs. */
    const sweep = async (): Promise<void> => {
      passes.advance(LEASE_SECONDS * 1000 + START_GRACE_MS);
      const due = item();
      if (due?.dueShard === undefined || (due.dueAt ?? 0) > clock.now().getTime()) return;
      await passes.alone().touch(CLUSTER);
      await passes.runStarted();
    };
    return {
      state: () => JSON.stringify([scene, clock.now(), item()]),
      judge: passes.judge,
      judgeEnd: async (crashed) => {
        sweeps.ends += 1;
        if (isCarriedOut()) return [];
        // A user who crashed before the touch has left a pledge (pledges.test.ts).
        if (crashed > 0 && !isRequested()) return [];
        sweeps.needed += 1;
        if (isUndisturbed(crashed)) return ['a change was lost without a crash'];
        await sweep();
        return isCarriedOut() ? [] : ['a change was lost, and the sweep does not find it'];
      },
      passTime: () => passes.advance((LEASE_SECONDS + 1) * 1000),
    };
  };

it('no pass that two users request is lost, regardless of the order of users and passes and of a crash', async () => {
  const sweeps = ignored();
  const found = await explore(users(2, sweeps), { crashes: 1 });
  expect(found.problems).toEqual([]);
  // Both occur: runs that end without the sweep, and runs that need it.
  expect(sweeps.needed).toBeGreaterThan(0);
  expect(sweeps.ends - sweeps.needed).toBeGreaterThan(0);
  console.log(
    `work: ${found.states} states, at most ${found.depth} steps, ${sweeps.needed} of ${sweeps.ends} ends need the sweep`,
  );
});

/** Does not count a touch while a pass has the lease, although that pass may have read the objects already. */
const losesTouches: AlterUpdate = (input, { isLeased }) =>
  isLeased ? { ...input, UpdateExpression: input.UpdateExpression.replace('ADD wanted :one, ', 'ADD ') } : input;

/** Releases the lease at the end of a pass, whichever pass has it. */
const releasesAnyLease: AlterUpdate = (input) => {
  if (input.ConditionExpression !== 'holder = :holder AND wanted <= :seen') return input;
  const { ':holder': _, ...values } = input.ExpressionAttributeValues;
  return { ...input, ConditionExpression: 'wanted <= :seen', ExpressionAttributeValues: values };
};

it.each([
  {
    build: 'whose writes have no condition',
    options: { isUnconditional: true },
    problem: /2 passes have the lease|without its lease/,
  },
  { build: 'that loses a touch during a pass', options: { alter: losesTouches }, problem: /touches, of which/ },
  {
    build: 'in which a pass ends the lease of another',
    options: { alter: releasesAnyLease },
    problem: /works without its lease/,
  },
])('catches a build $build', async ({ options, problem }) => {
  const { problems } = await explore(users(2, ignored(), options), { crashes: 1 });
  expect(problems).toContainEqual(expect.stringMatching(problem));
});
