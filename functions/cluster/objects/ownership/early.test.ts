/** Pools and sets of a cluster whose network is not ready: no step would remove a finalizer, and copies take nothing. */
import { beforeEach, expect, it } from 'vitest';
import { type AWSMachinePool, kinds, type MachinePool, type MachineSet } from '../../../../shared/kinds/index.ts';
import type { ConvergeInput } from '../../../../shared/work/payloads.ts';
import { useTestDatabase } from '../../test-database.ts';
import { applyCluster, context, makeWorld, type World } from '../test-world.ts';
import { addPool, LABELS, NAMESPACE } from './test-pool.ts';

const database = useTestDatabase();

let w: World;
let input: ConvergeInput;
const at = (name: string) => ({ namespace: NAMESPACE, name });

beforeEach(async () => {
  w = await makeWorld(database());
  input = (await applyCluster(w)).input;
  await addPool(w);
  await w.objects.mutate(kinds.awsMachinePool, at('pool'), ({ spec, ...current }) => {
    const { providerIDList: _, ...rest } = spec ?? {};
    return { ...current, spec: rest as AWSMachinePool['spec'] };
  });
  const infrastructureRef = { apiGroup: 'infrastructure.cluster.x-k8s.io', kind: 'AWSMachineTemplate', name: 'md-0' };
  await w.apply({
    apiVersion: 'cluster.x-k8s.io/v1beta2',
    kind: 'MachineSet',
    metadata: { ...at('set'), labels: LABELS },
    spec: {
      clusterName: 'quickstart',
      replicas: 1,
      selector: { matchLabels: { set: 'set' } },
      template: {
        metadata: { labels: { set: 'set' } },
        spec: { clusterName: 'quickstart', bootstrap: { dataSecretName: 'set' }, infrastructureRef },
      },
    },
  } as MachineSet);
  await w.steps.begin(input, context);
  await w.steps.report(input, context);
  await w.steps.report(input, context);
});

it.each([
  { resource: kinds.machinePool, name: 'pool' },
  { resource: kinds.awsMachinePool, name: 'pool' },
  { resource: kinds.machineSet, name: 'set' },
] as { resource: typeof kinds.machineSet; name: string }[])(
  'a $resource.kind can be deleted immediately',
  async (given) => {
    const { resource, name } = given;
    expect(await w.objects.get(resource, at(name))).toBeDefined();
    await w.objects.delete(resource, at(name));
    expect(await w.objects.get(resource, at(name))).toBeUndefined();
  },
);

it('a copy of a MachinePool can be deleted immediately, even after work on the group of the original has started', async () => {
  const pool = (await w.objects.get(kinds.machinePool, at('pool'))) as MachinePool;
  await w.objects.mutate(kinds.awsMachinePool, at('pool'), (current) => ({
    ...current,
    spec: { ...current.spec, providerIDList: ['aws:///a/i-1'] } as AWSMachinePool['spec'],
  }));
  const { apiVersion, kind, spec } = pool;
  await w.apply({ apiVersion, kind, metadata: { ...at('copy'), labels: LABELS }, spec } as MachinePool);
  await w.steps.report(input, context);
  expect((await w.objects.get(kinds.machinePool, at('pool')))?.metadata.finalizers).toHaveLength(1);
  expect((await w.objects.get(kinds.machinePool, at('copy')))?.metadata.finalizers).toBeUndefined();
});

it('a copy of a MachinePool does not take over parts that have lost their owner', async () => {
  const pool = (await w.objects.get(kinds.machinePool, at('pool'))) as MachinePool;
  const { apiVersion, kind, spec } = pool;
  await w.apply({ apiVersion, kind, metadata: { ...at('a-copy'), labels: LABELS }, spec } as MachinePool);
  await w.steps.report(input, context);
  const parts = [kinds.awsMachinePool, kinds.kubeadmConfig] as (typeof kinds.kubeadmConfig)[];
  for (const part of parts)
    await w.objects.mutate(part, at('pool'), ({ metadata, ...rest }) => ({
      ...rest,
      metadata: { ...metadata, ownerReferences: [] },
    }));
  await w.steps.report(input, context);
  const owners = await Promise.all(
    parts.map(async (part) =>
      (await w.objects.get(part, at('pool')))?.metadata.ownerReferences?.map(({ name }) => name),
    ),
  );
  expect(owners).toEqual([['pool'], ['pool']]);
});
