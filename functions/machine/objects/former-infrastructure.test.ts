/** Machines in deletion whose `spec.infrastructureRef` a user has changed while they had an instance. */
import { expect, it } from 'vitest';
import { type AWSCluster, type Cluster, kinds, type Machine } from '../../../shared/kinds/index.ts';
import { createMemoryStorage } from '../../../shared/kube-api/storage/memory-storage.ts';
import { createObjectClient } from '../../../shared/kube-api/storage/object-client.ts';
import { controllerReference, ownerReference } from '../../../shared/plan/machines/desired.ts';
import { systemRandom } from '../../../shared/random.ts';
import { withOutside } from '../../../shared/store/outside-client.ts';
import { createMemoryRecords } from '../../../shared/store/records/memory-records.ts';
import { withMemory } from '../../../shared/store/records/remembering-client.ts';
import { testClock } from '../../../shared/store/test-table.ts';
import { createControllersRegistry } from '../../controllers-registry.ts';
import { readAwsMachine } from '../../providers/aws/read-machine.ts';
import { beginRemove } from './begin.ts';
import type { MachineObjectsDependencies } from './dependencies.ts';
import { finishRemove } from './finish.ts';

const FINALIZER = 'awsmachine.infrastructure.cluster.x-k8s.io';
const HOLD = 'example.com/hold';
const key = (name: string) => ({ namespace: 'default', name });
const metadata = (name: string) => ({ ...key(name), labels: { 'cluster.x-k8s.io/cluster-name': 'red' } });
const ref = (kind: string, name = 'm', apiGroup = 'infrastructure.cluster.x-k8s.io') => ({ apiGroup, kind, name });

/** A machine that controls AWSMachines with these names and finalizers; it refers to `infrastructureRef`. */
const makeWorld = async (infrastructureRef: object, controlled: Readonly<Record<string, string[]>>) => {
  const clock = testClock('2026-01-01T00:00:00Z');
  const registry = createControllersRegistry({ storage: createMemoryStorage(), clock, random: systemRandom });
  const objects = withMemory(withOutside(createObjectClient(registry), registry.catalog), createMemoryRecords());
  const made = await objects.ensure(kinds.machine, {
    ...{ apiVersion: 'cluster.x-k8s.io/v1beta2', kind: 'Machine' },
    metadata: { ...metadata('m'), finalizers: ['machine.cluster.x-k8s.io'] },
    spec: {
      ...{ clusterName: 'red', providerID: 'aws:///us-east-1a/i-former', infrastructureRef },
      bootstrap: { dataSecretName: 'x' },
    },
  } as Machine);
  const controller = controllerReference(made.object);
  const add = (name: string, finalizers: readonly string[], ownerReferences = [controller]) =>
    objects.ensure(kinds.awsMachine, {
      ...{ apiVersion: 'infrastructure.cluster.x-k8s.io/v1beta2', kind: 'AWSMachine' },
      metadata: { ...metadata(name), finalizers, ownerReferences },
      spec: { instanceType: 't3.large', instanceID: `i-${name}`, providerID: `aws:///us-east-1a/i-${name}` },
    } as never);
  for (const [name, finalizers] of Object.entries(controlled)) await add(name, finalizers);
  await objects.delete(kinds.machine, made.object);
  const calls: string[] = [];
  const work = {
    beginMachine: async () => ({ acquired: true }),
    removeMachine: async () => calls.push('remove'),
    releaseMachine: async () => calls.push('release'),
  };
  const others = { work, touch: async () => calls.push('touch'), deliveries: {} } as never;
  const deps: MachineObjectsDependencies = { ...(others as MachineObjectsDependencies), objects, clock };
  const machine = { ...key('m'), uid: made.object.metadata.uid ?? '', clusterName: 'red', clusterUid: 'red' };
  const input = { machine, holder: 'x' };
  const left = async () =>
    [...(await objects.list(kinds.awsMachine)), ...(await objects.list(kinds.machine))].map((one) => one.metadata.name);
  return {
    ...{ objects, machine, calls, left, add, controller },
    begin: () => beginRemove(deps)(input),
    finish: () => finishRemove(deps)(input),
    terminated: async () => (await readAwsMachine(objects, machine))?.awsMachine?.metadata.name,
  };
};

it.each([
  ['an object that does not exist', ref('AWSMachine')],
  ['a kind that is not served', ref('FooMachine', 'm', 'example.com')],
  ['a kind of a group of Windlass that does not exist', ref('FooMachine')],
])('removes the infrastructure of a machine that refers to %s', async (_, infrastructureRef) => {
  const w = await makeWorld(infrastructureRef, { former: [FINALIZER] });

  expect(await w.begin()).toMatchObject({ proceed: true, infrastructure: 'aws' });
  expect(await w.terminated()).toBe('former');
  await w.finish();
  expect(await w.left()).toEqual([]);
});

it('removes all infrastructure of a machine that has referred to several objects, one after the other', async () => {
  const w = await makeWorld(ref('AWSMachine'), { former: [FINALIZER], m: [FINALIZER] });

  expect(await w.terminated()).toBe('m');
  await w.finish();
  expect(await w.left()).toEqual(['former', 'm']);
  expect(w.calls).toEqual(['release', 'touch']);

  expect(await w.terminated()).toBe('former');
  await w.finish();
  expect(await w.left()).toEqual([]);
});

it('does not wait for infrastructure that only another system holds', async () => {
  const w = await makeWorld(ref('AWSMachine'), { former: [HOLD], m: [FINALIZER, HOLD] });
  await w.finish();

  expect(await w.left()).toEqual(['former', 'm']);
  expect(w.calls).toEqual(['remove', 'touch']);
});

it('leaves infrastructure alone that it does not control', async () => {
  const w = await makeWorld(ref('AWSMachine', 'gone'), {});
  await w.add('other', [FINALIZER], [{ ...w.controller, name: 'other', uid: 'other' }]);
  await w.add('open', [FINALIZER], [{ ...w.controller, controller: false }]);

  expect(await w.terminated()).toBeUndefined();
  await w.finish();
  expect(await w.left()).toEqual(['open', 'other']);
});

it.each([
  ['uses the region of an AWSCluster that its Cluster owns', true],
  ['does not use the region of an AWSCluster that its Cluster does not own', false],
])('%s if the Cluster refers to one that does not exist', async (_, isOwn) => {
  const w = await makeWorld(ref('AWSMachine'), { m: [FINALIZER] });
  const { object: cluster } = await w.objects.ensure(kinds.cluster, {
    ...{ apiVersion: 'cluster.x-k8s.io/v1beta2', kind: 'Cluster', metadata: metadata('red') },
    spec: { infrastructureRef: ref('AWSCluster', 'gone') },
  } as Cluster);
  await w.objects.ensure(kinds.awsCluster, {
    ...{ apiVersion: 'infrastructure.cluster.x-k8s.io/v1beta2', kind: 'AWSCluster' },
    metadata: { ...metadata('former'), ...(isOwn ? { ownerReferences: [ownerReference(cluster)] } : {}) },
    spec: { region: 'eu-west-1' },
  } as AWSCluster);

  const found = await readAwsMachine(w.objects, { ...w.machine, clusterUid: cluster.metadata.uid ?? '' });
  expect(found?.awsCluster?.spec.region).toBe(isOwn ? 'eu-west-1' : undefined);
});
