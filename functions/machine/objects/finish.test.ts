import { describe, expect, it } from 'vitest';
import { type Cluster, kinds } from '../../../shared/kinds/index.ts';
import type { KubeObject } from '../../../shared/kube-api/object.ts';
import { ensureNamespaces } from '../../../shared/kube-api/registry/namespaces.ts';
import { createMemoryStorage } from '../../../shared/kube-api/storage/memory-storage.ts';
import { createObjectClient } from '../../../shared/kube-api/storage/object-client.ts';
import { firstFreePlace } from '../../../shared/plan/memory/used-places.ts';
import { freeNames } from '../../../shared/plan/names.ts';
import { systemRandom } from '../../../shared/random.ts';
import { withOutside } from '../../../shared/store/outside-client.ts';
import { createMemoryRecords } from '../../../shared/store/records/memory-records.ts';
import { withMemory } from '../../../shared/store/records/remembering-client.ts';
import { testClock } from '../../../shared/store/test-table.ts';
import { CRDS } from '../../api/custom/test-widgets.ts';
import { createTestApi } from '../../api/test-api.ts';
import { conditionOf } from '../../cluster/objects/test-world.ts';
import { createControllersRegistry } from '../../controllers-registry.ts';
import type { MachineObjectsDependencies } from './dependencies.ts';
import { finishProvision, finishRemove } from './finish.ts';

const namespace = 'default';
const OWNER = { name: 'workers', uid: '0b1c' };
const [NAME = ''] = freeNames(OWNER, new Set(), 1);
const metadata = (name: string) => ({ name, namespace, labels: { 'cluster.x-k8s.io/cluster-name': 'red' } });
const ref = (kind: string, name: string) => ({ apiGroup: 'infrastructure.cluster.x-k8s.io', kind, name });

/** A cluster with one machine of a set, whose instance is already gone. */
const makeWorld = async (storage = createMemoryStorage(), infrastructureRef = ref('AWSMachine', NAME)) => {
  const clock = testClock('2026-01-01T00:00:00Z');
  const registry = createControllersRegistry({ storage, clock, random: systemRandom });
  await ensureNamespaces(registry);
  const objects = withMemory(withOutside(createObjectClient(registry), registry.catalog), createMemoryRecords());
  const cluster = await objects.ensure(kinds.cluster, {
    apiVersion: 'cluster.x-k8s.io/v1beta2',
    kind: 'Cluster',
    metadata: metadata('red'),
    spec: { infrastructureRef: ref('AWSCluster', 'red') },
  } as Cluster);
  await objects.ensure(kinds.awsCluster, {
    apiVersion: 'infrastructure.cluster.x-k8s.io/v1beta2',
    kind: 'AWSCluster',
    metadata: metadata('red'),
    spec: { region: 'us-east-1' },
  } as never);
  const owner = { apiVersion: 'cluster.x-k8s.io/v1beta2', kind: 'MachineSet', controller: true, ...OWNER };
  const machine = await objects.ensure(kinds.machine, {
    apiVersion: 'cluster.x-k8s.io/v1beta2',
    kind: 'Machine',
    metadata: { ...metadata(NAME), finalizers: ['machine.cluster.x-k8s.io'], ownerReferences: [owner] },
    spec: { clusterName: 'red', bootstrap: { dataSecretName: 'x' }, infrastructureRef },
  } as never);
  const uidOf = ({ object }: { object: KubeObject }): string => object.metadata.uid ?? '';
  const names = { namespace, name: NAME, uid: uidOf(machine), clusterName: 'red', clusterUid: uidOf(cluster) };
  const calls: string[] = [];
  const work = {
    removeMachine: async () => calls.push('remove'),
    releaseMachine: async () => calls.push('release'),
    extendMachine: async () => calls.push('pause'),
  };
  const others = { work, touch: async () => calls.push('touch'), deliveries: {} } as never;
  const deps: MachineObjectsDependencies = { ...(others as MachineObjectsDependencies), objects, clock };
  const input = { machine: names, holder: 'x' };
  const [remove, provision] = [() => finishRemove(deps)(input), () => finishProvision(deps)(input)];
  return { objects, calls, uid: names.uid, remove, provision };
};

const firstPlace = async ({ objects }: Awaited<ReturnType<typeof makeWorld>>): Promise<number> =>
  firstFreePlace((await objects.get(kinds.awsCluster, { namespace, name: 'red' })) ?? null, { metadata: OWNER });

it('records the slot of a removed machine, so that its name is not reused', async () => {
  const world = await makeWorld();
  await world.objects.delete(kinds.machine, { namespace, name: NAME });

  await world.remove();

  expect(await world.objects.get(kinds.machine, { namespace, name: NAME })).toBeUndefined();
  expect(freeNames(OWNER, new Set(), 1, undefined, await firstPlace(world))).not.toEqual([NAME]);
});

it('records nothing if the whole cluster is deleted', async () => {
  const world = await makeWorld();
  const hold = (current: KubeObject) => ({ ...current, metadata: { ...current.metadata, finalizers: ['x/held'] } });
  await world.objects.mutate(kinds.cluster, { namespace, name: 'red' }, hold as never);
  await world.objects.delete(kinds.cluster, { namespace, name: 'red' });

  await world.remove();

  expect(await firstPlace(world)).toBe(0);
});

it.each([
  { what: 'was never registered with the load balancer', controlPlane: true, attached: false, call: 'pause' },
  { what: 'is registered', controlPlane: true, attached: true, call: 'release' },
  { what: 'belongs to a worker', controlPlane: false, attached: false, call: 'release' },
])('ends the provisioning of a Ready machine whose instance $what: $call', async ({ controlPlane, attached, call }) => {
  const world = await makeWorld();
  const lastTransitionTime = '2026-01-01T00:00:00Z';
  const ready = { type: 'NodeReady', status: 'True' as const, reason: 'R', message: '', lastTransitionTime };
  await world.objects.mutate(
    kinds.machine,
    { namespace, name: NAME },
    ({ metadata: { labels, ...head }, ...rest }) => ({
      ...rest,
      metadata: { ...head, labels: { ...labels, ...(controlPlane ? { 'cluster.x-k8s.io/control-plane': '' } : {}) } },
      status: { phase: 'Running' as const, nodeRef: { name: 'n' }, conditions: [ready] },
    }),
  );
  const conditions = attached ? [{ type: 'ELBAttached', status: 'True', lastTransitionTime }] : [];
  await world.objects.ensure(kinds.awsMachine, {
    apiVersion: 'infrastructure.cluster.x-k8s.io/v1beta2',
    kind: 'AWSMachine',
    metadata: metadata(NAME),
    spec: { instanceType: 't3.large', instanceID: 'i-1' },
    status: { ready: true, instanceState: 'running', conditions },
  } as never);

  await world.provision();

  expect(world.calls).toEqual([call, 'touch']);
});

describe('a machine with infrastructure of an external provider', () => {
  const RACK = { apiGroup: 'infrastructure.example.com', kind: 'RackMachine', name: NAME };
  const PATH = '/apis/infrastructure.example.com/v1/namespaces/default/rackmachines';
  const free = { type: 'object', 'x-kubernetes-preserve-unknown-fields': true };
  const definition = {
    apiVersion: 'apiextensions.k8s.io/v1',
    kind: 'CustomResourceDefinition',
    metadata: { name: 'rackmachines.infrastructure.example.com', labels: { 'cluster.x-k8s.io/v1beta2': 'v1' } },
    spec: {
      group: RACK.apiGroup,
      scope: 'Namespaced',
      names: { kind: RACK.kind, plural: 'rackmachines' },
      versions: [
        {
          ...{ name: 'v1', served: true, storage: true, subresources: { status: {} } },
          schema: { openAPIV3Schema: { type: 'object', properties: { spec: free, status: free } } },
        },
      ],
    },
  };

  const makeRack = async (ownerUid?: string) => {
    const storage = createMemoryStorage();
    const { admin } = createTestApi(storage);
    expect((await admin.ask('POST', CRDS, definition)).code).toBe(201);
    const world = await makeWorld(storage, RACK);
    const uid = ownerUid ?? world.uid;
    const controller = { apiVersion: 'cluster.x-k8s.io/v1beta2', kind: 'Machine', name: NAME, uid, controller: true };
    const head = { ...metadata(NAME), finalizers: ['example.com/rack'], ownerReferences: [controller] };
    const object = { apiVersion: 'infrastructure.example.com/v1', kind: 'RackMachine', metadata: head, spec: {} };
    expect((await admin.ask('POST', PATH, object)).code).toBe(201);
    await world.objects.delete(kinds.machine, { namespace, name: NAME });
    const infrastructure = async () => (await admin.ask('GET', `${PATH}/${NAME}`)).body;
    return { ...world, admin, infrastructure };
  };
  const machineOf = (world: Awaited<ReturnType<typeof makeRack>>) =>
    world.objects.get(kinds.machine, { namespace, name: NAME });

  it('waits until its provider has removed the infrastructure', async () => {
    const world = await makeRack();

    await world.remove();

    expect((await world.infrastructure()).metadata.deletionTimestamp).toBeDefined();
    expect(conditionOf(await machineOf(world), 'Deleting')?.message).toBe('Waiting for RackMachine to be deleted');
    expect(world.calls).toEqual(['release']);

    await world.admin.ask('PATCH', `${PATH}/${NAME}`, { metadata: { finalizers: null } });
    await world.remove();

    expect(await machineOf(world)).toBeUndefined();
  });

  it('does not delete what another object controls', async () => {
    const world = await makeRack('uid-of-another');

    await world.remove();

    expect((await world.infrastructure()).metadata.deletionTimestamp).toBeUndefined();
    expect(await machineOf(world)).toBeUndefined();
  });
});
