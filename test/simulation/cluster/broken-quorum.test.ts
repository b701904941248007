import { expect, it, vi } from 'vitest';
import { appliedCluster } from './applied.ts';

/** Where etcd would lose its quorum, nothing is waited for, and the instance goes. */
vi.mock('../../../shared/plan/control-plane/leave-etcd.ts', async (original) => {
  const { planLeave } = await original<typeof import('../../../shared/plan/control-plane/leave-etcd.ts')>();
  return {
    planLeave: (...given: Parameters<typeof planLeave>) => {
      const step = planLeave(...given);
      return step.do === 'wait' ? { do: 'nothing' } : step;
    },
  };
});

const { play } = await import('./play.ts');

/** A life in which a member of etcd is silent while another machine goes. */
const SEED = 4;

it('catches a build that lets a machine of a control plane go although etcd would lose its quorum', async () => {
  const { breaches } = await play(await appliedCluster(), SEED);
  expect(breaches).toContainEqual(expect.stringContaining('etcd has no quorum'));
});
