import { beforeEach, describe, expect, it } from 'vitest';
import type { Clock } from '../../shared/clock.ts';
import {
  type AWSCluster,
  type AWSMachine,
  type Cluster,
  KINDS,
  kinds,
  type Machine,
} from '../../shared/kinds/index.ts';
import type { ObjectClient } from '../../shared/kube-api/client.ts';
import { createMemoryOwnerIndex } from '../../shared/kube-api/garbage/owner-index.ts';
import { createMemoryStorage } from '../../shared/kube-api/memory-storage.ts';
import { createObjectClient } from '../../shared/kube-api/object-client.ts';
import { createRegistry, type Registry } from '../../shared/kube-api/registry.ts';
import { silentLog } from '../../shared/log.ts';
import type { ScheduledEvent } from '../../shared/plan/drift/maintenance.ts';
import { readNotice } from '../../shared/plan/instance-events/notice.ts';
import { withInstance } from '../../shared/plan/launch/instance.ts';
import { withObservation } from '../../shared/plan/machines/status.ts';
import { systemRandom } from '../../shared/random.ts';
import type { ClusterRef } from '../../shared/work/payloads.ts';
import { controllerScopeOf } from '../aws-scope.ts';
import { sweep } from './sweep.ts';

let now: Date;
let objects: ObjectClient;
let registry: Registry;
let touched: string[];
let due: ClusterRef[];
let states: Map<string, Map<string, string>>;
let scheduled: Map<string, ScheduledEvent[]>;
const clock: Clock = { now: () => now, sleep: async () => {} };

const NAMESPACE = 'default';
const INFRASTRUCTURE = 'infrastructure.cluster.x-k8s.io';

const statesIn = (region: string): Map<string, string> => {
  const known = states.get(region);
  if (!known) throw new Error(`no answer from ${region}`);
  return known;
};

const run = () =>
  sweep({
    objects,
    work: { due: async () => due.map((cluster) => ({ cluster, wanted: 1, done: 0, attempts: 0 })) },
    touch: async ({ name }) => {
      touched.push(name);
    },
    scopeOf: controllerScopeOf,
    fleet: ({ region }) => ({
      describeStates: async () => statesIn(region ?? ''),
      scheduledEvents: async () => scheduled,
    }),
    collectGarbage: registry.collectGarbage,
    clock,
    log: silentLog,
  });

const addCluster = async (name: string, region: string): Promise<ClusterRef> => {
  const metadata = { namespace: NAMESPACE, name };
  const reference = { apiGroup: INFRASTRUCTURE, kind: 'AWSCluster', name };
  const { object } = await objects.ensure(kinds.cluster, {
    apiVersion: 'cluster.x-k8s.io/v1beta2',
    kind: 'Cluster',
    metadata,
    spec: { infrastructureRef: reference },
  } as Cluster);
  await objects.ensure(kinds.awsCluster, {
    apiVersion: `${INFRASTRUCTURE}/v1beta2`,
    kind: 'AWSCluster',
    metadata,
    spec: { region },
  } as AWSCluster);
  return { namespace: NAMESPACE, name, uid: object.metadata.uid ?? '' };
};

/** A machine whose instance was seen running. */
const addMachine = async (clusterName: string, name: string, region: string) => {
  const metadata = { namespace: NAMESPACE, name };
  const key = { namespace: NAMESPACE, name };
  const instance = {
    InstanceId: `i-${name}`,
    State: { Name: 'running' },
    Placement: { AvailabilityZone: 'a' },
  } as const;
  await objects.ensure(kinds.awsMachine, {
    apiVersion: `${INFRASTRUCTURE}/v1beta2`,
    kind: 'AWSMachine',
    metadata,
    spec: { instanceType: 't3.large' },
  } as AWSMachine);
  const infrastructure = await objects.mutate(kinds.awsMachine, key, (current) => withInstance(current, instance, now));
  await objects.ensure(kinds.machine, {
    apiVersion: 'cluster.x-k8s.io/v1beta2',
    kind: 'Machine',
    metadata,
    spec: {
      clusterName,
      bootstrap: { dataSecretName: name },
      infrastructureRef: { apiGroup: INFRASTRUCTURE, kind: 'AWSMachine', name },
    },
  } as Machine);
  await objects.mutate(kinds.machine, key, (current) => withObservation(current, { infrastructure }, now));
  statesIn(region).set(`i-${name}`, 'running');
};

const addMachines = async (clusterName: string, region: string, count: number) => {
  for (let index = 0; index < count; index += 1) await addMachine(clusterName, `${clusterName}-${index}`, region);
};

const warnings = async () =>
  (await objects.list(kinds.event, NAMESPACE)).filter(({ type }) => type === 'Warning').map(({ reason }) => reason);

beforeEach(async () => {
  now = new Date('2026-11-20T12:00:00Z');
  [touched, due] = [[], []];
  scheduled = new Map();
  states = new Map([
    ['here', new Map()],
    ['there', new Map()],
  ]);
  const storage = createMemoryStorage();
  const ownership = { index: createMemoryOwnerIndex() };
  registry = createRegistry({ resources: KINDS, storage, clock, random: systemRandom, ownership });
  objects = createObjectClient(registry);
  await addCluster('red', 'here');
  await addMachines('red', 'here', 6);
  now = new Date('2026-11-20T13:00:00Z');
});

describe('a sweep', () => {
  it('leaves a fleet alone that is as it should be', async () => {
    const result = await run();

    expect(result).toEqual({ due: 0, considered: 6, found: 0, isSuspicious: false, touched: 0, collected: 0 });
    expect(touched).toEqual([]);
  });

  it('marks a machine whose instance was terminated behind our back, and only once', async () => {
    statesIn('here').set('i-red-2', 'terminated');

    await run();
    await run();

    const key = { namespace: NAMESPACE, name: 'red-2' };
    const infrastructure = await objects.get(kinds.awsMachine, key);
    const machine = await objects.get(kinds.machine, key);
    const ready = infrastructure?.status?.conditions?.find(({ type }) => type === 'InstanceReady');
    expect(infrastructure?.status).toMatchObject({ instanceState: 'terminated', ready: false });
    expect(ready).toMatchObject({ status: 'False', reason: 'InstanceTerminated' });
    expect(machine?.status?.conditions?.find(({ type }) => type === 'InfrastructureReady')?.status).toBe('False');
    expect(await warnings()).toEqual(['InstanceTerminated']);
    expect(touched).toEqual(['red']);
  });

  it('takes an instance that EC2 has forgotten for terminated', async () => {
    statesIn('here').delete('i-red-2');

    await run();

    const infrastructure = await objects.get(kinds.awsMachine, { namespace: NAMESPACE, name: 'red-2' });
    expect(infrastructure?.status?.instanceState).toBe('terminated');
  });

  it('changes nothing when most of the fleet looks lost at once, and says so', async () => {
    statesIn('here').clear();

    const result = await run();

    const infrastructure = await objects.list(kinds.awsMachine);
    expect(result).toMatchObject({ found: 6, isSuspicious: true, touched: 0 });
    expect(infrastructure.map(({ status }) => status?.instanceState)).toEqual(Array(6).fill('running'));
    expect(await warnings()).toEqual(['SweepSuspended']);
  });

  it('starts the passes that were lost', async () => {
    due = [{ namespace: NAMESPACE, name: 'blue', uid: 'u' }];

    expect(await run()).toMatchObject({ due: 1, touched: 1 });
    expect(touched).toEqual(['blue']);
  });

  it('takes down what lost its owner, and touches its cluster', async () => {
    const key = { namespace: NAMESPACE, name: 'red-0' };
    const owner = (await objects.get(kinds.awsMachine, key)) as AWSMachine;
    const { apiVersion, kind, metadata } = owner;
    const ownerReferences = [{ apiVersion, kind, name: metadata.name, uid: metadata.uid ?? '' }];
    const finalizers = ['toys.windlass.dev/hold'];
    await objects.mutate(kinds.machine, key, (machine) => ({
      ...machine,
      metadata: { ...machine.metadata, ownerReferences, finalizers },
    }));
    await objects.delete(kinds.awsMachine, key);

    expect(await run()).toMatchObject({ collected: 1 });
    expect((await objects.get(kinds.machine, key))?.metadata.deletionTimestamp).toBeDefined();
    expect(touched).toEqual(['red']);
  });

  it('notes maintenance that EC2 has scheduled, once, and that it was called off', async () => {
    const event = { id: 'instance-event-1', code: 'instance-retirement', notBefore: new Date('2026-12-01T00:00:00Z') };
    scheduled.set('i-red-1', [event]);
    const notice = async () => {
      const machine = await objects.get(kinds.machine, { namespace: NAMESPACE, name: 'red-1' });
      return machine && readNotice(machine);
    };

    await run();
    now = new Date('2026-11-20T13:05:00Z');
    await run();
    expect(await notice()).toMatchObject({ reason: 'ScheduledMaintenance', deadline: '2026-12-01T00:00:00.000Z' });
    expect(await warnings()).toEqual(['ScheduledMaintenance']);
    expect(touched).toEqual(['red']);

    scheduled.clear();
    await run();
    expect(await notice()).toBeUndefined();
    expect(touched).toEqual(['red', 'red']);
  });

  it('infers nothing from a region that does not answer, and reports it after the others', async () => {
    await addCluster('green', 'there');
    await addMachines('green', 'there', 1);
    states.delete('there');
    statesIn('here').set('i-red-0', 'terminated');

    await expect(run()).rejects.toThrow('no answer from there');

    const silent = await objects.get(kinds.awsMachine, { namespace: NAMESPACE, name: 'green-0' });
    expect(silent?.status?.instanceState).toBe('running');
    expect(touched).toEqual(['red']);
  });
});
