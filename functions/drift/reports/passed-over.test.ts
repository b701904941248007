import { beforeEach, describe, expect, it } from 'vitest';
import { kinds, type Machine, type MachineHealthCheck } from '../../../shared/kinds/index.ts';
import type { ReadLimits } from '../../../shared/kube-api/storage/read-budget.ts';
import { PASSED_OVER } from '../namespaces.ts';
import { createTestFleet, type FleetDependencies, NAMESPACE, type TestFleet } from '../test-fleet.ts';

const HOSTILE = 'mallory';
const LIMITS: ReadLimits = { namespace: 1_000_000, total: 1_500_000 };

let fleet: TestFleet;
let written: string[];
let surveyed: string[];

/** Limits the memory, and notes writes to namespaces and surveys of machines. */
const limited =
  (memory: ReadLimits) =>
  (dependencies: FleetDependencies): FleetDependencies => ({
    ...dependencies,
    memory,
    objects: {
      ...dependencies.objects,
      mutate: async (resource, ...how) => {
        if (resource.kind === 'Namespace') written.push(String(how[0] && 'name' in how[0] ? how[0].name : ''));
        return dependencies.objects.mutate(resource, ...how);
      },
      survey: async (resource, ...how) => {
        const found = await dependencies.objects.survey(resource, ...how);
        if (resource.kind === 'Machine')
          surveyed.push(...new Set(found.map(({ metadata }) => metadata.namespace ?? '')));
        return found;
      },
    },
  });

const sweep = (memory = LIMITS) => {
  written = [];
  surveyed = [];
  return fleet.run(limited(memory));
};

const addNamespace = (name: string) =>
  fleet.objects.ensure(kinds.namespace, { apiVersion: 'v1', kind: 'Namespace', metadata: { name } });

/** Machines that are small as text, but large in memory. */
const bloat = async (namespace = HOSTILE, count = 10, values = 2_000): Promise<void> => {
  for (let index = 0; index < count; index += 1)
    await fleet.objects.ensure(kinds.machine, {
      apiVersion: 'cluster.x-k8s.io/v1beta2',
      kind: 'Machine',
      metadata: {
        ...{ namespace, name: `large-${index}` },
        annotations: Object.fromEntries(Array.from({ length: values }, (_, nth) => [`k${index}-${nth}`, ''])),
      },
      spec: {
        clusterName: 'none',
        bootstrap: { dataSecretName: 'none' },
        infrastructureRef: { apiGroup: 'infrastructure.cluster.x-k8s.io', kind: 'AWSMachine', name: 'none' },
      },
    } as Machine);
};

const addChecks = async (namespace = HOSTILE): Promise<void> => {
  const annotations = Object.fromEntries(Array.from({ length: 9_000 }, (_, nth) => [`k${nth}`, '']));
  for (const name of ['a', 'b'])
    await fleet.objects.ensure(kinds.machineHealthCheck, {
      apiVersion: 'cluster.x-k8s.io/v1beta2',
      kind: 'MachineHealthCheck',
      metadata: { namespace, name, annotations },
      spec: { clusterName: 'red', selector: { matchLabels: { a: 'b' } } },
    } as MachineHealthCheck);
};

const shrink = async (): Promise<void> => {
  for (const machine of await fleet.objects.list(kinds.machine, HOSTILE))
    if (machine.metadata.name.startsWith('large-')) await fleet.objects.delete(kinds.machine, machine);
};

const condition = async (name = HOSTILE) => {
  const namespace = await fleet.objects.get(kinds.namespace, { namespace: '', name });
  const found = namespace?.status?.conditions?.find(({ type }) => type === PASSED_OVER);
  return found && [found.status, found.reason];
};

const eventsIn = async (namespace: string) =>
  (await fleet.objects.list(kinds.event, namespace)).filter(({ reason }) => reason === 'NamespaceTooLarge');

const phaseOf = async (namespace: string, name: string) =>
  (await fleet.objects.get(kinds.machine, { namespace, name }))?.status?.conditions?.find(
    ({ type }) => type === 'InfrastructureReady',
  )?.status;

beforeEach(async () => {
  fleet = await createTestFleet();
  fleet.setTime('2026-11-20T12:00:00Z');
  await addNamespace(HOSTILE);
  await fleet.addCluster('red', 'here', HOSTILE);
  await fleet.addMachines('red', 'here', 3, HOSTILE);
  await bloat();
  fleet.setTime('2026-11-20T13:10:00Z');
});

describe('a namespace that needs too much memory', () => {
  it('does not keep other namespaces from being repaired', async () => {
    fleet.alter('i-red-2', { state: 'terminated' });
    expect(await sweep()).toMatchObject({ considered: 6, found: 1, touched: 1, passedOver: 1 });
    expect(fleet.touched).toEqual(['red']);
    expect(await phaseOf(NAMESPACE, 'red-2')).toBe('False');
  });

  it('does not keep other namespaces from being swept if its report fails', async () => {
    fleet.alter('i-red-2', { state: 'terminated' });
    const { result, faults } = await fleet.sweep((dependencies) => ({
      ...limited(LIMITS)(dependencies),
      objects: {
        ...dependencies.objects,
        mutate: async (resource, ...how) => {
          if (resource.kind === 'Namespace') throw new Error('no write');
          return dependencies.objects.mutate(resource, ...how);
        },
      },
    }));
    expect(result).toMatchObject({ considered: 6, found: 1, touched: 1, passedOver: 1 });
    expect(faults).toContainEqual(new Error('no write'));
  });

  it('is skipped with all of its instances, known or unknown', async () => {
    await fleet.objects.mutate(kinds.cluster, { namespace: HOSTILE, name: 'red' }, (cluster) => ({
      ...cluster,
      metadata: { ...cluster.metadata, annotations: { 'windlass.dev/on-drift': 'Repair' } },
    }));
    await fleet.setPolicy('Repair');
    fleet.alter('i-mallory-red-0', { state: 'terminated' });
    fleet.alter('i-mallory-red-1', { state: 'stopped' });
    await fleet.objects.delete(kinds.machine, { namespace: HOSTILE, name: 'mallory-red-2' });

    await sweep();
    expect(fleet.calls).toEqual([]);
    expect(fleet.touched).toEqual([]);
    expect(await phaseOf(HOSTILE, 'mallory-red-0')).not.toBe('False');
  });

  it('is reported once', async () => {
    await sweep();
    expect(await condition()).toEqual(['True', 'NamespaceTooLarge']);
    expect(written).toEqual([HOSTILE]);
    expect(await eventsIn(HOSTILE)).toMatchObject([
      { type: 'Warning', count: 1, message: expect.stringContaining('more than 1 MB of memory') },
    ]);
    expect(await condition(NAMESPACE)).toBeUndefined();
  });

  it('is read again only in the first sweep of an hour', async () => {
    await sweep();
    fleet.setTime('2026-11-20T13:15:00Z');
    expect(await sweep()).toMatchObject({ passedOver: 1 });
    expect(await eventsIn(HOSTILE)).toMatchObject([{ count: 1 }]);

    fleet.setTime('2026-11-20T14:00:00Z');
    expect(await sweep()).toMatchObject({ passedOver: 1 });
    expect(await eventsIn(HOSTILE)).toMatchObject([{ count: 2 }]);
    expect(written).toEqual([]);
  });

  it('is swept again within an hour after it has become smaller', async () => {
    await sweep();
    await shrink();
    fleet.alter('i-mallory-red-0', { state: 'terminated' });

    fleet.setTime('2026-11-20T13:55:00Z');
    expect(await sweep()).toMatchObject({ found: 0, passedOver: 1 });
    fleet.setTime('2026-11-20T14:00:00Z');
    expect(await sweep()).toMatchObject({ considered: 9, found: 1, passedOver: 0 });
    expect(surveyed.sort()).toEqual([NAMESPACE, HOSTILE]);
    expect(await condition()).toEqual(['False', 'NamespaceSwept']);
    expect(await phaseOf(HOSTILE, 'mallory-red-0')).toBe('False');

    fleet.setTime('2026-11-20T14:05:00Z');
    await sweep();
    expect(written).toEqual([]);
  });

  it('is skipped even if its health checks, which are read later, need the memory', async () => {
    await shrink();
    await addChecks();
    expect(await sweep()).toMatchObject({ considered: 9, passedOver: 1 });
    expect(await condition()).toEqual(['True', 'NamespaceTooLarge']);
    fleet.setTime('2026-11-20T13:15:00Z');
    expect(await sweep()).toMatchObject({ considered: 6, passedOver: 1 });
  });
});

describe('namespaces that need too much memory together', () => {
  it('are swept without the largest one', async () => {
    await addNamespace('trent');
    await bloat('trent', 4);
    await shrink();
    await bloat(HOSTILE, 1);
    expect(await sweep({ namespace: 5_000_000, total: 2_500_000 })).toMatchObject({ considered: 9, passedOver: 1 });
    expect(await condition('trent')).toEqual(['True', 'NamespaceTooLarge']);
    expect((await eventsIn('trent'))[0]?.message).toContain('all namespaces together');
    expect(await condition()).toBeUndefined();
  });

  it('are swept without the largest one from the next sweep on if the lists of another one are read last', async () => {
    const limits = { namespace: 7_000_000, total: 7_000_000 };
    await addNamespace('trent');
    await addChecks('trent');
    fleet.setTime('2026-11-20T13:10:00Z');
    await sweep(limits);
    expect([await condition('trent'), await condition()]).toEqual([undefined, ['True', 'NamespaceTooLarge']]);
    expect(written).toEqual([HOSTILE]);

    fleet.setTime('2026-11-20T13:15:00Z');
    expect(await sweep(limits)).toMatchObject({ considered: 6, passedOver: 1 });
    fleet.setTime('2026-11-20T14:00:00Z');
    await sweep(limits);
    expect([await condition('trent'), await condition()]).toEqual([undefined, ['True', 'NamespaceTooLarge']]);
  });
});
