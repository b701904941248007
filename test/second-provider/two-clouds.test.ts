/** One sweep over the clusters of two providers, and the events of both. */
import { beforeEach, describe, expect, it, vi } from 'vitest';
import { createTestFleet, NAMESPACE, type TestFleet } from '../../functions/drift/test-fleet.ts';
import { handleEvent } from '../../functions/events/handle.ts';
import { stateEvent } from '../../functions/events/test-account.ts';
import { allOwners } from '../../functions/events/test-owners.ts';
import { controllerScopeOf } from '../../functions/providers/aws/aws-scope.ts';
import { makeEventPort } from '../../functions/providers/aws/events/port.ts';
import { type Cluster, KINDS, kinds, type Machine } from '../../shared/kinds/index.ts';
import { ON_DRIFT } from '../../shared/kinds/rules/drift-policy.ts';
import type { KubeObject } from '../../shared/kube-api/object.ts';
import type { ResourceDefinition } from '../../shared/kube-api/resource.ts';
import { silentLog } from '../../shared/log.ts';
import { withObservation } from '../../shared/plan/machines/status.ts';
import { findCondition } from '../../shared/plan/status/conditions.ts';
import { provided } from '../../shared/providers/registry.ts';
import { instanceOf } from '../../shared/store/indexes/instance-index.ts';
import { testClock } from '../../shared/store/test-table.ts';
import { NO_PASSES } from '../../shared/store/work/no-work.ts';
import { plainEvents, plainSweep } from './cloud.ts';
import { plain, providerIdOf } from './infrastructure.ts';
import { type PlainMachine, plainCluster, plainMachine } from './kinds.ts';
import { newRack, type Rack } from './steps.ts';

vi.mock('../../shared/kinds/index.ts', async (importOriginal) => {
  const original = await importOriginal<typeof import('../../shared/kinds/index.ts')>();
  const { PLAIN_KINDS } = await import('./kinds.ts');
  return { ...original, KINDS: [...original.KINDS, ...PLAIN_KINDS] };
});

vi.mock('../../shared/providers/registry.ts', async (importOriginal) => {
  const original = await importOriginal<typeof import('../../shared/providers/registry.ts')>();
  const { plain: second } = await import('./infrastructure.ts');
  return { ...original, ...original.registryOf([...original.INFRASTRUCTURES, second]) };
});

const GROUP = 'infrastructure.example.com';
const key = (name: string) => ({ namespace: NAMESPACE, name });

let fleet: TestFleet;
let rack: Rack;

/** A machine of the cluster `metal` whose instance runs in the rack. `instance` may have the name of one in EC2. */
const addMachine = async (name: string, instance = name): Promise<void> => {
  const reference = { apiGroup: GROUP, kind: 'PlainMachine', name };
  const { object: machine } = await fleet.objects.ensure(kinds.machine, {
    apiVersion: 'cluster.x-k8s.io/v1beta2',
    kind: 'Machine',
    metadata: key(name),
    spec: { clusterName: 'metal', bootstrap: { dataSecretName: name }, infrastructureRef: reference },
  } as Machine);
  const { uid = '' } = machine.metadata;
  await fleet.objects.ensure(plainMachine, {
    apiVersion: `${GROUP}/v1beta2`,
    kind: 'PlainMachine',
    metadata: { ...key(name), ownerReferences: [{ apiVersion: machine.apiVersion, kind: 'Machine', name, uid }] },
    spec: { providerID: providerIdOf(instance) },
  } as PlainMachine);
  const infrastructure = await fleet.objects.mutate(plainMachine, key(name), (current) => ({
    ...current,
    status: { state: 'running' as const, ready: true },
  }));
  await fleet.objects.mutate(kinds.machine, key(name), (current) =>
    withObservation(
      current,
      { infrastructure: infrastructure ?? null, zone: 'rack' },
      new Date('2026-11-20T12:00:00Z'),
    ),
  );
  rack.instances.set(instance, { bootsAt: 0, data: '' });
};

beforeEach(async () => {
  fleet = await createTestFleet();
  rack = newRack();
  await fleet.objects.ensure(plainCluster, {
    apiVersion: `${GROUP}/v1beta2`,
    kind: 'PlainCluster',
    metadata: key('metal'),
    spec: {},
  } as KubeObject as never);
  await fleet.objects.ensure(kinds.cluster, {
    apiVersion: 'cluster.x-k8s.io/v1beta2',
    kind: 'Cluster',
    metadata: key('metal'),
    spec: { infrastructureRef: { apiGroup: GROUP, kind: 'PlainCluster', name: 'metal' } },
  } as Cluster);
  await addMachine('metal-0');
  await addMachine('metal-1', 'i-red-1');
});

const sweep = () => fleet.run(undefined, { plain: plainSweep(rack) });
const cluster = () => fleet.objects.get(kinds.cluster, key('metal'));
const statesOf = async (kind: ResourceDefinition) =>
  Object.fromEntries(
    (await fleet.objects.list(kind)).map((object) => {
      const { state, instanceState } = (object as { status?: { state?: string; instanceState?: string } }).status ?? {};
      return [object.metadata.name, state ?? instanceState];
    }),
  );

describe('a sweep over two clouds', () => {
  it('does nothing if nothing has changed', async () => {
    expect(await sweep()).toMatchObject({ considered: 8, found: 0, touched: 0, troubled: 0 });
    expect(fleet.touched).toEqual([]);
  });

  it('finds the lost instances of each cloud', async () => {
    rack.instances.delete('metal-0');
    fleet.alter('i-red-0', { state: 'terminated' });

    expect(await sweep()).toMatchObject({ found: 2, touched: 2, isSuspicious: false });

    expect(fleet.touched.sort()).toEqual(['metal', 'red']);
    expect(await statesOf(plainMachine)).toEqual({ 'metal-0': 'lost', 'metal-1': 'running' });
    expect((await statesOf(kinds.awsMachine as never))['red-0']).toBe('terminated');
    expect(await fleet.warnings()).toEqual(expect.arrayContaining(['InstanceLost', 'InstanceTerminated']));
    await sweep();
    expect(fleet.touched).toHaveLength(2);
  });

  it('acts on the findings of one cloud while it distrusts those of the other', async () => {
    rack.instances.delete('metal-0');
    fleet.listed('here').clear();

    expect(await sweep()).toMatchObject({ found: 7, isSuspicious: true, touched: 1 });

    expect(fleet.touched).toEqual(['metal']);
    expect(Object.values(await statesOf(kinds.awsMachine as never))).toEqual(Array(6).fill('running'));
  });

  it('reports an instance that belongs to no machine, and removes it on demand', async () => {
    rack.instances.set('metal-stray', { bootsAt: 0, data: '' });
    await sweep();
    const type = 'windlass.dev/InstancesDrifted';
    expect(findCondition((await cluster())?.status?.conditions, type)?.message).toContain('metal-stray');

    await fleet.objects.mutate(kinds.cluster, key('metal'), (current) => ({
      ...current,
      metadata: { ...current.metadata, annotations: { [ON_DRIFT]: 'UnknownInstance=Repair' } },
    }));
    await sweep();
    expect(rack.instances.has('metal-stray')).toBe(false);
    expect(findCondition((await cluster())?.status?.conditions, type)?.status).toBe('False');
    expect(fleet.calls).toEqual([]);
  });

  it("isolates a machine that makes its provider's code throw", async () => {
    rack.instances.has = () => {
      throw new TypeError('the rack is on fire');
    };
    fleet.alter('i-red-0', { state: 'terminated' });
    // One of two failing clusters does not yet count as a fault of the sweep.
    expect(await sweep()).toMatchObject({ troubled: 1 });
    expect(fleet.touched).toEqual(['red']);
    const { message } = findCondition((await cluster())?.status?.conditions, 'windlass.dev/SweepFailed') ?? {};
    expect(message).toContain('Machine default/metal-0 (PlainMachine default/metal-0)');
  });
});

describe('an event', () => {
  const asked: string[] = [];
  const handle = (event: unknown) => {
    const { objects, pledges } = fleet;
    const clock = testClock('2026-11-20T13:00:00Z');
    const statesNow = async (ids: readonly string[]) => {
      asked.push(...ids);
      return new Map<string, string>();
    };
    const aws = makeEventPort({ objects, clock, scopeOf: controllerScopeOf, fleet: () => ({ statesOf: statesNow }) });
    const find = async (instanceId: string, resource: { group: string; plural: string }) => {
      const kind = KINDS.find(({ group, plural }) => group === resource.group && plural === resource.plural);
      const all = kind ? await objects.list<KubeObject>(kind) : [];
      return all
        .filter((object) => instanceOf(resource, object) === instanceId)
        .map(({ metadata }) => key(metadata.name));
    };
    const touch = async ({ name }: { name: string }) => void fleet.touched.push(name);
    const providers = { aws, plain: plainEvents(rack) };
    return handleEvent(
      {
        ...{ objects, pledges, clock, log: silentLog, work: NO_PASSES, touch, providers },
        findByInstance: find,
        findByGroup: async () => [],
        findOwners: allOwners(objects),
      },
      event,
    );
  };

  it('of one cloud does not reach the machine of another whose instance has the same name', async () => {
    rack.instances.delete('i-red-1');
    const lost = { rack: 'lost', instance: 'i-red-1', at: '2026-11-20T13:00:00Z' };

    expect(await handle(lost)).toEqual({ instances: 1, known: 1, changed: 1 });

    expect(fleet.touched).toEqual(['metal']);
    expect(await statesOf(plainMachine)).toEqual({ 'metal-0': 'running', 'metal-1': 'lost' });
    expect((await statesOf(kinds.awsMachine as never))['red-1']).toBe('running');
    const { infrastructure, machine } = await known('metal-1');
    expect(provided(plain, infrastructure).facts.gone).toBe(true);
    expect(findCondition(machine.status?.conditions, 'InfrastructureReady')?.status).toBe('False');
    expect(asked).toEqual([]);
  });

  it('announces maintenance on the Machine in the words of its cloud', async () => {
    await handle({ rack: 'maintenance', instance: 'metal-0', at: '2026-11-21T00:00:00.000Z' });
    const { machine } = await known('metal-0');
    expect(findCondition(machine.status?.conditions, 'windlass.dev/InstanceAtRisk')?.message).toContain(
      'the rack has scheduled maintenance of the instance at 2026-11-21T00:00:00.000Z',
    );
    expect(fleet.touched).toEqual(['metal']);
  });

  it('that no cloud sends is refused', async () => {
    await expect(handle({ 'detail-type': 'Scheduled Event' })).rejects.toThrow('no provider handles events');
    // AWS's own event, about an instance that is not in the account
    expect(await handle(stateEvent('i-metal-0', 'stopped'))).toMatchObject({ known: 0 });
  });
});

const known = async (name: string) => {
  const infrastructure = await fleet.objects.get(plainMachine, key(name));
  const machine = await fleet.objects.get(kinds.machine, key(name));
  if (!infrastructure || !machine) throw new Error(`no machine ${name}`);
  return { infrastructure, machine };
};
