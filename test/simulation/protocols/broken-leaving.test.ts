import { expect, it, vi } from 'vitest';
import { explore } from './explore.ts';

/** This build considers every member of etcd healthy, so that its rule for the quorum never makes a machine wait. */
vi.mock('../../../shared/plan/control-plane/leave-etcd.ts', async (original) => {
  const { planLeave, ...others } = await original<typeof import('../../../shared/plan/control-plane/leave-etcd.ts')>();
  const trusting: typeof planLeave = (view, facts) =>
    planLeave({ ...view, reachable: new Set(view.members.map(({ id }) => id)), alarms: new Map() }, facts);
  return { ...others, planLeave: trusting };
});

const { NEEDED, removals } = await import('./leaving.ts');

it('the quorum is lost if neither Windlass nor etcd checks it', async () => {
  const { problems } = await explore(removals(NEEDED), { crashes: 0 });
  expect(problems).toContainEqual(expect.stringContaining('etcd has lost its quorum'));
});
