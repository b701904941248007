import { expect, it, vi } from 'vitest';
import { appliedCluster } from './applied.ts';

/** This build does not wait if etcd would lose its quorum, but terminates the instance. */
vi.mock('../../../shared/plan/control-plane/leave-etcd.ts', async (original) => {
  const { planLeave, ...others } = await original<typeof import('../../../shared/plan/control-plane/leave-etcd.ts')>();
  return {
    ...others,
    planLeave: (...given: Parameters<typeof planLeave>) => {
      const step = planLeave(...given);
      return step.do === 'wait' ? { do: 'nothing' } : step;
    },
  };
});

const { play } = await import('./play.ts');

/**
 * A scenario with the first 22 kinds of changes, in which an etcd member does not respond while a machine is deleted.
 */
const [SEED, CHANGES] = [37, 22];

it('catches a build that removes a machine of a control plane although etcd would lose its quorum', async () => {
  const { breaches } = await play(await appliedCluster(), SEED, CHANGES);
  expect(breaches).toContainEqual(expect.stringContaining('etcd has no quorum'));
});
