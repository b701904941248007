/** Sweeps that crash: marked clusters still get a pass, and repairs are made once. */
import { expect, it } from 'vitest';
import {
  createTestFleet,
  type FleetDependencies,
  NAMESPACE,
  type TestFleet,
} from '../../functions/drift/test-fleet.ts';
import { kinds } from '../../shared/kinds/index.ts';
import { createMemoryOwnerIndex } from '../../shared/kube-api/garbage/owner-index.ts';
import type { KubeObject } from '../../shared/kube-api/object.ts';
import { createMemoryStorage } from '../../shared/kube-api/storage/memory-storage.ts';
import type { Storage } from '../../shared/kube-api/storage/storage.ts';
import { findCondition } from '../../shared/plan/status/conditions.ts';
import type { ClusterRef } from '../../shared/work/payloads.ts';
import type { Executioner } from '../cluster-infrastructure/faults.ts';
import { deathsThatMatter, nobody, untilDeath } from './points.ts';

/** Outside changes since the last sweep: one example of everything that the sweep records or repairs. */
const disturb = async (fleet: TestFleet): Promise<void> => {
  await fleet.setPolicy('InstanceType=Repair,InstanceStopped=Repair,UnknownInstance=Repair');
  const tags = fleet.listed('here').get('i-red-0')?.tags ?? {};
  fleet.alter('i-red-0', { state: 'terminated' });
  fleet.alter('i-red-1', { type: 't3.small' });
  fleet.alter('i-red-2', { tags: {} });
  fleet.alter('i-red-3', { state: 'stopped' });
  fleet.scheduled.set('i-red-4', [
    { id: 'instance-event-1', code: 'instance-retirement', notBefore: new Date('2026-12-01T00:00:00Z') },
  ]);
  const stranger = fleet.listed('here').get('i-green-0');
  if (stranger)
    fleet.listed('here').set('i-stray', { ...stranger, tags: { ...tags, 'windlass.dev/machine-uid': 'x' } });
  fleet.alter('i-green-1', { state: 'terminated' });
  const key = { namespace: NAMESPACE, name: 'red-5' };
  const owner = await fleet.objects.get(kinds.awsMachine, key);
  if (!owner) throw new Error('there is no AWSMachine red-5');
  const { apiVersion, kind, metadata } = owner;
  await fleet.objects.mutate(kinds.machine, key, (machine) => ({
    ...machine,
    metadata: {
      ...machine.metadata,
      ownerReferences: [{ apiVersion, kind, name: metadata.name, uid: metadata.uid ?? '' }],
      finalizers: ['toys.windlass.dev/hold'],
    },
  }));
  await fleet.objects.delete(kinds.awsMachine, key);
};

const FOUND = ['windlass.dev/instance-notice'] as const;

/** The records that must be followed by a touch: a machine's instance, notice or end. */
const markOf = ({ metadata, status }: KubeObject & { status?: { instanceState?: string } }): string =>
  JSON.stringify([status?.instanceState, metadata.annotations?.[FOUND[0]], metadata.deletionTimestamp]);

interface Crashable {
  fleet: TestFleet;
  /** One sweep that can be killed: each write to the table, call to AWS and touch is an effect. */
  run(executioner: Executioner): Promise<unknown>;
  /** The times at which clusters were last marked, and last touched, by name. */
  marked: Map<string, number>;
  touched: Map<string, number>;
}

/** All writes to the table go through `executioner()`. */
const guardedStores = (executioner: () => Executioner, onUpdate: (before: KubeObject, after: KubeObject) => void) => {
  const raw = createMemoryStorage();
  const storage: Storage = {
    ...raw,
    update: async (resource, object, cluster) => {
      const before = await raw.get(resource, object.metadata.namespace ?? '', object.metadata.name);
      const after = await raw.update(resource, object, cluster);
      if (before) onUpdate(before, after);
      return after;
    },
  };
  const index = createMemoryOwnerIndex();
  const through = <T extends object>(port: T, isEffect: (method: string) => boolean): T =>
    new Proxy(port, {
      get: (target, method, receiver) => Reflect.get(executioner().guard(target, isEffect), method, receiver),
    });
  return {
    storage: through(storage, (method) => ['create', 'update', 'remove'].includes(method)),
    index: through(index, (method) => method !== 'dependents' && method !== 'marks'),
    through,
  };
};

const makeFleet = async (): Promise<Crashable> => {
  let current = nobody();
  let moment = 0;
  const marked = new Map<string, number>();
  const touched = new Map<string, number>();
  const { storage, index, through } = guardedStores(
    () => current,
    (before, after) => {
      moment += 1;
      const name = after.metadata.name.replace(/-\d+$/, '');
      if (markOf(before) !== markOf(after)) marked.set(name, moment);
    },
  );
  const fleet = await createTestFleet({ storage, index });
  fleet.setTime('2026-11-20T12:00:00Z');
  await fleet.addCluster('green', 'here');
  await fleet.addMachines('green', 'here', 3);
  const wanted = new Map([...fleet.listed('here')].map(([id, { tags }]) => [id, tags]));
  fleet.setTime('2026-11-20T13:00:00Z');
  await disturb(fleet);
  marked.clear();

  const repairs: FleetDependencies['repairs'] = () => {
    const nothing = async () => {};
    const account = {
      start: async (id: string) => fleet.alter(id, { state: 'running' }),
      createTags: async ([id = '']: readonly string[]) => fleet.alter(id, { tags: wanted.get(id) ?? {} }),
      terminate: async (id: string) => fleet.alter(id, { state: 'terminated' }),
      ...{ deleteTags: nothing, setGroups: nothing, setMetadataOptions: nothing },
      securityGroups: async () => [],
      ownersOf: async () => new Map(),
    };
    return through(account, (method) => !['securityGroups', 'ownersOf'].includes(method));
  };
  const around = (dependencies: FleetDependencies): FleetDependencies => {
    const toucher = {
      touch: async ({ name }: ClusterRef) => {
        moment += 1;
        touched.set(name, moment);
      },
    };
    const pledges = through(dependencies.pledges, (method) => method !== 'open');
    const touch = (cluster: ClusterRef) => through(toucher, () => true).touch(cluster);
    return { ...dependencies, repairs, touch, pledges };
  };
  const run = (executioner: Executioner) => {
    current = executioner;
    return fleet.run(around).finally(() => {
      current = nobody();
    });
  };
  return { fleet, run, marked, touched };
};

const inventory = async ({ fleet, marked, touched }: Crashable) => {
  const machines = await fleet.objects.list(kinds.machine, NAMESPACE);
  const infrastructures = await fleet.objects.list(kinds.awsMachine, NAMESPACE);
  const clusters = await fleet.objects.list(kinds.cluster, NAMESPACE);
  const said = (conditions: Parameters<typeof findCondition>[0], type: string) => {
    const { status, reason, message } = findCondition(conditions, type) ?? {};
    return [type, status, reason, message].join(' ');
  };
  return {
    machines: machines.map(({ metadata, status }) => [
      metadata.name,
      metadata.deletionTimestamp !== undefined,
      FOUND.map((name) => metadata.annotations?.[name] !== undefined),
      ...['windlass.dev/Drifted', 'InfrastructureReady', 'windlass.dev/InstanceAtRisk'].map((type) =>
        said(status?.conditions, type),
      ),
    ]),
    states: infrastructures.map(({ metadata, status }) => [metadata.name, status?.instanceState]),
    clusters: clusters.map(({ metadata, status }) => [
      metadata.name,
      said(status?.conditions, 'windlass.dev/InstancesDrifted'),
    ]),
    listed: [...fleet.listed('here')].map(([id, { state, tags }]) => [id, state, Object.keys(tags).length]),
    // A repair is reported by the run that made it; findings are reported in any case.
    warnings: [...new Set(await fleet.warnings())].sort(),
    open: (await fleet.pledges.open(new Date('2030-01-01T00:00:00Z'))).length,
    // A touch before the last mark of a cluster may have led to a pass that did not see the mark.
    unseen: [...marked].filter(([name, at]) => (touched.get(name) ?? -1) < at).map(([name]) => name),
  };
};

const story = async (executioner: Executioner) => {
  const crashable = await makeFleet();
  await untilDeath(crashable.run(executioner));
  for (const time of ['13:05', '13:10', '13:25', '13:30']) {
    crashable.fleet.setTime(`2026-11-20T${time}:00Z`);
    await crashable.run(nobody());
  }
  return inventory(crashable);
};

it('a sweep has the same result, wherever it dies', async () => {
  const { count, end, failures } = await deathsThatMatter(10, story);
  expect(end).toMatchObject({ open: 0, unseen: [] });
  expect(count).toBeGreaterThan(25);
  expect(failures).toEqual([]);
});
