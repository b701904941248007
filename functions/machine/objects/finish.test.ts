import { expect, it } from 'vitest';
import { type Cluster, KINDS, kinds } from '../../../shared/kinds/index.ts';
import { createRegistry } from '../../../shared/kube-api/create-registry.ts';
import { createMemoryStorage } from '../../../shared/kube-api/memory-storage.ts';
import { ensureNamespaces } from '../../../shared/kube-api/namespaces.ts';
import type { KubeObject } from '../../../shared/kube-api/object.ts';
import { createObjectClient } from '../../../shared/kube-api/object-client.ts';
import { firstFreePlace } from '../../../shared/plan/memory/used-places.ts';
import { freeNames } from '../../../shared/plan/names.ts';
import { systemRandom } from '../../../shared/random.ts';
import { createMemoryRecords } from '../../../shared/store/memory-records.ts';
import { withMemory } from '../../../shared/store/remembering-client.ts';
import { testClock } from '../../../shared/store/test-table.ts';
import type { MachineObjectsDependencies } from './dependencies.ts';
import { finishRemove } from './finish.ts';

const namespace = 'default';
const OWNER = { name: 'workers', uid: '0b1c' };
const [NAME = ''] = freeNames(OWNER, new Set(), 1);
const metadata = (name: string) => ({ name, namespace, labels: { 'cluster.x-k8s.io/cluster-name': 'red' } });
const ref = (kind: string, name: string) => ({ apiGroup: 'infrastructure.cluster.x-k8s.io', kind, name });

/** A cluster with one machine of a set, whose instance is already gone. */
const makeWorld = async () => {
  const clock = testClock('2026-01-01T00:00:00Z');
  const registry = createRegistry({ resources: KINDS, storage: createMemoryStorage(), clock, random: systemRandom });
  await ensureNamespaces(registry);
  const objects = withMemory(createObjectClient(registry), createMemoryRecords());
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
    spec: { clusterName: 'red', bootstrap: { dataSecretName: 'x' }, infrastructureRef: ref('AWSMachine', NAME) },
  } as never);
  const uidOf = ({ object }: { object: KubeObject }): string => object.metadata.uid ?? '';
  const names = { namespace, name: NAME, uid: uidOf(machine), clusterName: 'red', clusterUid: uidOf(cluster) };
  const others = { work: { removeMachine: async () => {} }, touch: async () => {} } as never;
  const deps: MachineObjectsDependencies = { ...(others as MachineObjectsDependencies), objects, clock };
  return { objects, remove: () => finishRemove(deps)({ machine: names, holder: 'x' } as never) };
};

const firstPlace = async ({ objects }: Awaited<ReturnType<typeof makeWorld>>): Promise<number> =>
  firstFreePlace((await objects.get(kinds.awsCluster, { namespace, name: 'red' })) ?? null, { metadata: OWNER });

it('remembers the place of a removed machine, so that its name does not come back', async () => {
  const world = await makeWorld();
  await world.objects.delete(kinds.machine, { namespace, name: NAME });

  await world.remove();

  expect(await world.objects.get(kinds.machine, { namespace, name: NAME })).toBeUndefined();
  expect(freeNames(OWNER, new Set(), 1, undefined, await firstPlace(world))).not.toEqual([NAME]);
});

it('remembers nothing of a cluster that goes', async () => {
  const world = await makeWorld();
  const hold = (current: KubeObject) => ({ ...current, metadata: { ...current.metadata, finalizers: ['x/held'] } });
  await world.objects.mutate(kinds.cluster, { namespace, name: 'red' }, hold as never);
  await world.objects.delete(kinds.cluster, { namespace, name: 'red' });

  await world.remove();

  expect(await firstPlace(world)).toBe(0);
});
