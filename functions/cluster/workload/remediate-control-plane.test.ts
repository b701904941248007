import { beforeEach, describe, expect, it } from 'vitest';
import { kinds, type Machine } from '../../../shared/kinds/index.ts';
import { joinConfigurationClaim } from '../../../shared/plan/control-plane/upgrade-tasks.ts';
import { withObservation } from '../../../shared/plan/machines/status.ts';
import { withConditions } from '../../../shared/plan/status/conditions.ts';
import type { ConvergeInput } from '../../../shared/work/payloads.ts';
import { type PodCommand, type WorkloadClient, WorkloadUnreachableError } from '../../../shared/workload/client.ts';
import { takesInit } from '../../machine/objects/init-lock.ts';
import { beginCluster, conditionOf, makeWorld, pass, type World } from '../objects/test-world.ts';
import { useTestDatabase } from '../test-database.ts';
import { remediateControlPlane } from './remediate-control-plane.ts';

const database = useTestDatabase();

const OWNER = { namespace: 'default', name: 'quickstart-control-plane' };
const IN_PROGRESS = 'controlplane.cluster.x-k8s.io/remediation-in-progress';
const FOR = 'controlplane.cluster.x-k8s.io/remediation-for';
const WELL = [
  'APIServerPodHealthy',
  'ControllerManagerPodHealthy',
  'SchedulerPodHealthy',
  'EtcdPodHealthy',
  'EtcdMemberHealthy',
];

describe('remediation of a control plane', () => {
  let w: World;
  let input: ConvergeInput;
  let answers: boolean;
  let touched: number;

  const all = async (): Promise<Machine[]> =>
    (await w.objects.listOfCluster(kinds.machine, 'default', 'quickstart')).filter(
      ({ metadata }) => 'cluster.x-k8s.io/control-plane' in (metadata.labels ?? {}),
    );
  const write = (name: string, change: (machine: Machine) => Machine) =>
    w.objects.mutate(kinds.machine, { namespace: 'default', name }, change);
  /** The last step of the removal of a machine. */
  const release = (name: string) =>
    write(name, ({ metadata: { finalizers: _, ...metadata }, ...rest }) => ({ ...rest, metadata }) as Machine);
  const claims = (types: string[], status: 'True' | 'False') => types.map((type) => ({ type, status, reason: type }));
  const owner = async () => w.objects.get(kinds.kubeadmControlPlane, OWNER);

  /** Answers as etcdctl would in any pod: one member for each machine, all of them reachable. */
  const etcdctl = async ({ command }: PodCommand) => {
    if (!answers) throw new WorkloadUnreachableError('connect ETIMEDOUT');
    const ids = (await all()).map(({ metadata }, at) => ({ name: metadata.name, id: at + 1 }));
    const stdout = command.includes('list')
      ? JSON.stringify({ members: ids.map(({ name, id }) => ({ ID: id, name })) })
      : JSON.stringify(ids.map(({ id }) => ({ Status: { header: { member_id: id }, leader: 1 } })));
    return { stdout, stderr: '', code: 0 };
  };
  const remediate = () => {
    const client = { execute: etcdctl, close: async () => {} } as Partial<WorkloadClient> as WorkloadClient;
    const work = {
      touch: async () => {
        touched += 1;
        return { wanted: 2, leased: true };
      },
    };
    return remediateControlPlane({ objects: w.objects, clock: w.clock, work, connect: () => client }, input.cluster);
  };

  /** Three machines. The first is marked by a health check, and the others are healthy. */
  beforeEach(async () => {
    [answers, touched] = [true, 0];
    w = await makeWorld(database());
    input = await beginCluster(w);
    await pass(w, input);
    await w.objects.mutate(kinds.kubeadmControlPlane, OWNER, (current) => ({
      ...current,
      status: { ...current.status, initialization: { controlPlaneInitialized: true } } as typeof current.status,
    }));
    const now = w.clock.now();
    for (const [at, { metadata }] of (await all()).entries()) {
      const health =
        at > 0 ? claims(WELL, 'True') : claims([...WELL, 'HealthCheckSucceeded', 'OwnerRemediated'], 'False');
      await write(metadata.name, (machine) =>
        withObservation(
          { ...machine, status: { ...machine.status, nodeRef: { name: metadata.name } } },
          { health },
          now,
        ),
      );
    }
    w.clock.advance(60);
  });

  it('deletes the machine, and its replacement takes over the remediation data', async () => {
    const [bad] = await all();
    const name = bad?.metadata.name ?? '';
    await remediate();
    const going = (await all()).find(({ metadata }) => metadata.name === name);
    expect(going?.metadata.deletionTimestamp).toBeDefined();
    expect(conditionOf(going, 'OwnerRemediated')).toMatchObject({ status: 'False', reason: 'MachineDeleting' });
    const data = { machine: name, timestamp: '2026-01-01T00:01:00Z', retryCount: 0 };
    expect(JSON.parse((await owner())?.metadata.annotations?.[IN_PROGRESS] ?? '{}')).toEqual(data);
    expect(touched).toBe(1);

    await pass(w, input);
    expect(conditionOf(await owner(), 'Remediating')).toMatchObject({
      status: 'True',
      message: `* Machine ${name}: Machine is deleting`,
    });
    await release(name);
    await pass(w, input);
    const marks = (await all()).flatMap(({ metadata }) => metadata.annotations?.[FOR] ?? []);
    expect(marks.map((text) => JSON.parse(text))).toEqual([data]);
    expect((await owner())?.metadata.annotations?.[IN_PROGRESS]).toBeUndefined();
    expect((await owner())?.status?.lastRemediation).toEqual({ machine: name, time: data.timestamp, retryCount: 0 });
  });

  it('replaces a machine that has not yet initialized the control plane, and only when it is gone', async () => {
    await w.objects.mutate(kinds.kubeadmControlPlane, OWNER, ({ status: _, ...current }) => current);
    const [bad, other] = await all();
    const cluster = await w.objects.get(kinds.cluster, input.cluster);
    if (!bad || !other || !cluster) throw new Error('nothing needs remediation');
    const refOf = ({ metadata }: Machine) => ({
      ...{ namespace: 'default', name: metadata.name, uid: metadata.uid ?? '' },
      ...{ clusterName: 'quickstart', clusterUid: input.cluster.uid },
    });
    expect(await takesInit(w.objects, cluster, refOf(bad))).toBe(true);
    answers = false;
    await remediate();
    await pass(w, input);
    expect(await all()).toHaveLength(3);

    await release(bad.metadata.name);
    await pass(w, input);
    const now = await all();
    const made = now.find(({ metadata }) => metadata.annotations?.[FOR]);
    expect([now.length, made?.metadata.uid === bad.metadata.uid]).toEqual([3, false]);
    expect(made && (await takesInit(w.objects, cluster, refOf(made)))).toBe(true);
    expect(await takesInit(w.objects, cluster, refOf(other))).toBe(false);
  });

  it.each([1, 3])(
    'passes the count of retries from one surge machine to the next with %i replicas',
    async (replicas) => {
      const [bad, ...others] = await all();
      await write(bad?.metadata.name ?? '', (machine) =>
        withObservation(machine, { health: claims([...WELL, 'HealthCheckSucceeded'], 'True') }, w.clock.now()),
      );
      for (const { metadata } of others.slice(replicas - 1)) {
        await w.objects.delete(kinds.machine, { namespace: 'default', name: metadata.name });
        await release(metadata.name);
      }
      const old = (await all()).map(({ metadata }) => metadata.name);
      await w.objects.mutate(kinds.kubeadmControlPlane, OWNER, (current) => ({
        ...current,
        spec: { ...current.spec, replicas, rollout: { ...current.spec.rollout, after: '2026-01-01T00:00:30Z' } },
      }));
      await w.objects.mutate(kinds.kubeadmControlPlane, OWNER, (current) => {
        const conditions = withConditions(undefined, [joinConfigurationClaim(current)], 1, w.clock.now());
        return { ...current, status: { ...current.status, conditions } };
      });
      const retries: (number | undefined)[] = [];
      for (let attempt = 0; attempt < 3; attempt += 1) {
        await pass(w, input);
        const surge = (await all()).find(({ metadata }) => !old.includes(metadata.name));
        if (!surge) throw new Error('the rollout has created no machine');
        const { name, annotations } = surge.metadata;
        retries.push((JSON.parse(annotations?.[FOR] ?? '{}') as { retryCount?: number }).retryCount);
        const health = claims([...WELL, 'HealthCheckSucceeded', 'OwnerRemediated'], 'False');
        await write(name, (machine) => withObservation(machine, { health }, w.clock.now()));
        w.clock.advance(60);
        await remediate();
        await release(name);
        await remediate();
      }
      expect(retries).toEqual([undefined, 0, 1]);
    },
  );

  it('keeps the machine while etcd does not answer, and reports it', async () => {
    answers = false;
    await remediate();
    const [bad] = await all();
    expect(bad?.metadata.deletionTimestamp).toBeUndefined();
    expect(conditionOf(bad, 'OwnerRemediated')).toMatchObject({
      status: 'False',
      reason: 'RemediationDeferred',
      message: 'Failed to check etcd cluster health before remediation',
    });
    expect([touched, (await owner())?.metadata.annotations?.[IN_PROGRESS]]).toEqual([0, undefined]);
  });
});
