import { afterAll, beforeAll, expect, it } from 'vitest';
import { kinds, type Machine } from '../../../shared/kinds/index.ts';
import { HEALTHY } from '../../../shared/plan/control-plane/test-healthy.ts';
import { startTestDatabase, type TestDatabase } from '../../../shared/store/test-table.ts';
import { WorkloadUnreachableError } from '../../../shared/workload/client.ts';
import { answerEtcdctl } from '../../cluster/workload/test-etcd.ts';
import { context, makeWorld, type NodeWorld } from './test-world.ts';

let database: TestDatabase;
beforeAll(async () => {
  database = await startTestDatabase();
});
afterAll(() => database.stop());

const initialize = async (w: NodeWorld): Promise<void> => {
  const [controlPlane] = await w.objects.list(kinds.kubeadmControlPlane, 'default');
  const key = { namespace: 'default', name: controlPlane?.metadata.name ?? '' };
  await w.objects.mutate(kinds.kubeadmControlPlane, key, (one) => ({
    ...one,
    status: { ...one.status, initialization: { controlPlaneInitialized: true } },
  }));
};

it('keeps the etcd member of the original when a copy of a control plane machine is deleted', async () => {
  const w = await makeWorld(database);
  await initialize(w);
  const original = await w.objects.get(kinds.machine, { namespace: 'default', name: 'm-0' });
  await w.clock.advance(60);
  const name = 'copy';
  const labels = { ...original?.metadata.labels, 'cluster.x-k8s.io/cluster-name': 'red' };
  const { object: copy } = await w.objects.ensure(kinds.machine, {
    ...(original as NonNullable<typeof original>),
    ...{ metadata: { name, namespace: 'default', labels }, status: { nodeRef: { name: 'ip-10-0-0-0' } } },
  });
  const machine = { ...w.input.machine, name, uid: copy.metadata.uid ?? '' };
  expect(await w.steps.leaveEtcd({ ...w.input, machine }, context)).toMatchObject({ progress: 'done' });
});

/** Three etcd members, with m-0 as the leader. m-0 is being deleted, and a user's hook has delayed it for two hours. */
const makeEtcd = async () => {
  const w = await makeWorld(database);
  await initialize(w);
  const key = (name: string) => ({ namespace: 'default', name });
  const original = (await w.objects.get(kinds.machine, key('m-0'))) as Machine;
  const labels = { ...original.metadata.labels, 'cluster.x-k8s.io/cluster-name': 'red' };
  const twoHoursAgo = new Date(w.clock.now().getTime() - 7_200_000).toISOString();
  const members = [0, 1, 2].map((at) => ({ id: at + 1, name: `n-${at}`, address: `10.0.0.${at}` }));
  for (const [at, name] of ['m-0', 'm-n1', 'm-n2'].entries()) {
    const metadata = { ...key(name), labels, finalizers: ['machine.cluster.x-k8s.io'] };
    const spec = { ...original.spec, providerID: `aws:///us-east-1a/i-n${at}` };
    const status = { nodeRef: { name: `n-${at}` }, conditions: HEALTHY };
    await w.objects.ensure(kinds.machine, { ...original, metadata, spec });
    await w.objects.mutate(kinds.machine, key(name), (machine) => ({
      ...machine,
      metadata: { ...machine.metadata, labels, finalizers: metadata.finalizers },
      spec,
      status,
    }));
  }
  const held = { deletion: { waitForPreTerminateHookStartTime: twoHoursAgo } };
  const machine = await w.objects.mutate(kinds.machine, key('m-0'), (one) => ({
    ...one,
    status: { ...one.status, ...held },
  }));
  await w.objects.delete(kinds.machine, key('m-0'));
  const state = { responds: true };
  w.connect().execute = async ({ command }) => {
    if (!state.responds || command.includes('move-leader')) throw new WorkloadUnreachableError('HTTP 502');
    return answerEtcdctl(members, command);
  };
  const ref = { ...w.input.machine, name: 'm-0', uid: machine?.metadata.uid ?? '' };
  const leave = () => w.steps.leaveEtcd({ ...w.input, machine: ref }, context);
  const deletion = async () => (await w.objects.get(kinds.machine, key('m-0')))?.status?.deletion;
  const deleting = async () => {
    const conditions = (await w.objects.get(kinds.machine, key('m-0')))?.status?.conditions;
    return conditions?.find(({ type }) => type === 'Deleting');
  };
  /** Changes annotations of m-0; undefined removes one. */
  const annotate = (change: Record<string, string | undefined>) =>
    w.objects.mutate(kinds.machine, key('m-0'), (one) => {
      const annotations = Object.entries({ ...one.metadata.annotations, ...change });
      const kept = annotations.filter((entry): entry is [string, string] => entry[1] !== undefined);
      return { ...one, metadata: { ...one.metadata, annotations: Object.fromEntries(kept) } };
    });
  return { ...w, members, state, leave, deletion, deleting, annotate, held };
};

it("waits a minute for the leader's own pod, even if a user's hook took longer before", async () => {
  const w = await makeEtcd();
  expect(await w.leave()).toEqual({ progress: 'wait', waitSeconds: 1 });
  w.clock.advance(50);
  expect(await w.leave()).toEqual({ progress: 'wait', waitSeconds: 5 });
  expect(w.members).toHaveLength(3);
  expect(await w.deletion()).toEqual(w.held.deletion);
  w.clock.advance(15);
  expect(await w.leave()).toMatchObject({ progress: 'done' });
  expect(w.members.map(({ name }) => name)).toEqual(['n-1', 'n-2']);
});

const PAUSED = 'cluster.x-k8s.io/paused';

it.each([
  { what: 'Cluster', kind: kinds.cluster, name: 'red' },
  { what: 'Machine', kind: kinds.machine, name: 'm-0' },
])('changes nothing more while the $what is paused', async ({ kind, name }) => {
  const w = await makeEtcd();
  const pause = (isPaused: boolean) =>
    w.objects.mutate(kind as typeof kinds.machine, { namespace: 'default', name }, (current) => {
      const { [PAUSED]: _, ...others } = current.metadata.annotations ?? {};
      return {
        ...current,
        metadata: { ...current.metadata, annotations: isPaused ? { ...others, [PAUSED]: '' } : others },
      };
    });
  await w.leave();
  w.clock.advance(65);
  await pause(true);
  expect(await w.leave()).toMatchObject({ progress: 'failed' });
  expect(w.members).toHaveLength(3);

  await pause(false);
  expect(await w.leave()).toMatchObject({ progress: 'done' });
  expect(w.members).toHaveLength(2);
});

it('waits for a pre-terminate hook that is added while the machine waits', async () => {
  const w = await makeEtcd();
  const hook = 'pre-terminate.delete.hook.machine.cluster.x-k8s.io/backup';
  await w.leave();
  w.clock.advance(65);
  await w.annotate({ [hook]: '' });
  expect(await w.leave()).toMatchObject({ progress: 'failed' });
  expect(await w.deleting()).toMatchObject({
    reason: 'WaitingForPreTerminateHook',
    message: `Waiting for pre-terminate hooks to succeed (hooks: ${hook})`,
  });
  expect(w.members).toHaveLength(3);

  await w.annotate({ [hook]: undefined });
  expect(await w.leave()).toMatchObject({ progress: 'done' });
  expect(w.members).toHaveLength(2);
});

it("ends its execution after ten minutes, not counting the time of a user's hook", async () => {
  const w = await makeEtcd();
  w.state.responds = false;
  expect(await w.leave()).toMatchObject({ progress: 'wait' });
  w.clock.advance(601);
  await expect(w.leave()).rejects.toMatchObject({ name: 'Refused' });
});
