import { beforeEach, describe, expect, it } from 'vitest';
import { type AWSMachine, kinds } from '../../../shared/kinds/index.ts';
import type { KubeObject, OwnerReference } from '../../../shared/kube-api/object.ts';
import { testClock } from '../../../shared/store/test-table.ts';
import type { MachineRef } from '../../../shared/work/payloads.ts';
import { readMachine } from '../read-machine.ts';
import { beginRemove } from './begin.ts';
import { ownObjects } from './own-objects.ts';
import { readOwnMachine } from './read-own.ts';
import { machineObjects, makeClusterObjects } from './test-objects.ts';

const KEY = { namespace: 'default', name: 'w-1' };
const CLUSTER = { 'cluster.x-k8s.io/cluster-name': 'red' };
const PAIR = { certificatePem: '', privateKeyPem: '' };
const AUTHORITIES = { ca: PAIR, etcd: PAIR, proxy: PAIR, sa: PAIR };

let world: Awaited<ReturnType<typeof makeClusterObjects>>;
let ref: MachineRef;

/** Objects as a user writes them. */
const plain = ({ metadata, ...object }: KubeObject): KubeObject => ({
  ...object,
  metadata: { name: metadata.name, namespace: metadata.namespace ?? '' },
});

beforeEach(async () => {
  world = await makeClusterObjects(testClock('2026-01-01T00:00:00Z'), AUTHORITIES);
  const [machine, ...others] = machineObjects('w-1', false);
  const made = machine && (await world.put(machine));
  await Promise.all(others.map(plain).map(world.put));
  const clusterUid = world.cluster?.metadata.uid ?? '';
  ref = { ...KEY, uid: made?.metadata.uid ?? '', clusterName: 'red', clusterUid };
});

const own = async (): Promise<void> => {
  const snapshot = await readMachine(world.objects, ref);
  if (snapshot === undefined) throw new Error('the Machine is gone');
  await ownObjects(world, snapshot);
};

const infrastructure = async (): Promise<AWSMachine | undefined> => world.objects.get(kinds.awsMachine, KEY);
const both = async () => [
  (await infrastructure())?.metadata,
  (await world.objects.get(kinds.kubeadmConfig, KEY))?.metadata,
];

const ownedBy = (...ownerReferences: OwnerReference[]) =>
  world.objects.mutate(kinds.awsMachine, KEY, ({ metadata, ...rest }) => ({
    ...rest,
    metadata: { ...metadata, ownerReferences },
  }));

it('makes the machine the controller of objects that a user created, once, and protects its infrastructure', async () => {
  await own();
  const controlled = {
    labels: CLUSTER,
    ownerReferences: [
      { apiVersion: 'cluster.x-k8s.io/v1beta2', kind: 'Machine', name: 'w-1', uid: ref.uid, controller: true },
    ],
  };
  const finalizers = ['awsmachine.infrastructure.cluster.x-k8s.io'];
  const first = await both();
  expect(first).toMatchObject([{ ...controlled, finalizers }, controlled]);
  expect(first[1]?.finalizers).toBeUndefined();

  await own();
  expect(await both()).toEqual(first);
});

it('makes the machine the controller in place of another object, which stays an owner', async () => {
  const pool = { apiVersion: 'infrastructure.cluster.x-k8s.io/v1beta2', kind: 'AWSMachinePool', name: 'p', uid: 'p' };
  await ownedBy({ ...pool, controller: true });
  await own();
  const [metadata] = await both();
  expect(metadata?.ownerReferences).toMatchObject([pool, { kind: 'Machine', uid: ref.uid, controller: true }]);
  expect(metadata?.ownerReferences?.[0]?.controller).toBeUndefined();
});

it('refuses objects that another machine controls, and does not change them', async () => {
  const other = { apiVersion: 'cluster.x-k8s.io/v1beta2', kind: 'Machine', name: 'w-2', uid: 'w-2', controller: true };
  await ownedBy(other);
  const before = await infrastructure();
  await expect(own()).rejects.toThrow(
    /^spec\.infrastructureRef: AWSMachine default\/w-1 is controlled by another Machine/,
  );
  expect(await infrastructure()).toEqual(before);
  // No other step does so either: the machine has no objects of its own.
  expect(await readMachine(world.objects, ref)).toMatchObject({ infrastructureMachine: null, config: {} });
});

it('does not change objects that are being deleted', async () => {
  await world.objects.mutate(kinds.awsMachine, KEY, ({ metadata, ...rest }) => ({
    ...rest,
    metadata: { ...metadata, finalizers: ['example.com/kept'] },
  }));
  await world.objects.delete(kinds.awsMachine, KEY);
  await own();
  expect((await infrastructure())?.metadata).toMatchObject({ finalizers: ['example.com/kept'] });
  expect((await infrastructure())?.metadata.ownerReferences).toBeUndefined();
});

describe.each(['a-copy', 'z-copy'])('the copy %s of a machine whose objects have lost their owners', (name) => {
  let copied: MachineRef;

  beforeEach(async () => {
    await own();
    for (const kind of [kinds.awsMachine, kinds.kubeadmConfig])
      await world.objects.mutate(kind as typeof kinds.kubeadmConfig, KEY, ({ metadata, ...rest }) => ({
        ...rest,
        metadata: { ...metadata, ownerReferences: [] },
      }));
    const original = await world.objects.get(kinds.machine, KEY);
    const metadata = {
      namespace: 'default',
      name,
      labels: CLUSTER,
      finalizers: original?.metadata.finalizers ?? ['x/y'],
    };
    const copy = await world.put({ ...original, metadata } as KubeObject);
    copied = { ...ref, name, uid: copy?.metadata.uid ?? '' };
  });

  const ownerNames = async () =>
    (await both()).map((metadata) => metadata?.ownerReferences?.map((owner) => owner.name));

  it('does not own them, because the original gets them back', async () => {
    expect(await readOwnMachine(world.objects, copied)).toMatchObject({ infrastructureMachine: null, config: null });
    expect(await ownerNames()).toEqual([['w-1'], ['w-1']]);
  });

  it('is removed without them', async () => {
    await world.objects.delete(kinds.machine, { namespace: 'default', name });
    const deps = { objects: world.objects, work: { beginMachine: async () => ({ acquired: true }) } } as never;
    expect(await beginRemove(deps)({ machine: copied, holder: 'remove' })).toMatchObject({ proceed: true });
    expect(await ownerNames()).toEqual([['w-1'], ['w-1']]);
    expect(await readMachine(world.objects, copied)).toMatchObject({ infrastructureMachine: null, config: null });
  });
});
