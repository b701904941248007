import { beforeEach, describe, expect, it } from 'vitest';
import { type Cluster, kinds, type MachineDeployment } from '../../../../shared/kinds/index.ts';
import { POLICY_FINALIZERS } from '../../../../shared/kube-api/garbage/finalizers.ts';
import type { KubeObject } from '../../../../shared/kube-api/object.ts';
import type { ResourceDefinition } from '../../../../shared/kube-api/resource.ts';
import { withGroupRemoved } from '../../../../shared/plan/pools/digest.ts';
import type { ConvergeInput } from '../../../../shared/work/payloads.ts';
import { useTestDatabase } from '../../test-database.ts';
import { addPool } from '../ownership/test-pool.ts';
import { beginCluster, context, makeWorld, type World } from '../test-world.ts';

const database = useTestDatabase();

const KEY = { namespace: 'default', name: 'quickstart-md-0' };
const FAILURE = { Error: 'Error', Cause: JSON.stringify({ errorMessage: 'it is broken' }) };

describe('a deletion while the infrastructure of the cluster is not ready', () => {
  let w: World;
  let input: ConvergeInput;

  const machines = () => w.objects.listOfCluster(kinds.machine, 'default', 'quickstart');
  const workers = async () => (await machines()).filter(({ metadata }) => metadata.name.startsWith(KEY.name));
  const namesOf = (found: readonly { metadata: { name: string } }[]) =>
    found.map(({ metadata }) => metadata.name).sort();
  const removed = () => w.started.remove.map(({ name }) => name).sort();
  const mutateCluster = (change: (cluster: Cluster) => Cluster) =>
    w.objects.mutate(kinds.cluster, input.cluster, change);

  beforeEach(async () => {
    w = await makeWorld(database());
    input = await beginCluster(w);
    await w.steps.machines(input, context);
    await w.steps.report(input, context);
  });

  const passes = {
    concludeWhileUnready: () => w.steps.concludeWhileUnready(input, context),
    fail: () => w.steps.fail({ ...input, failure: FAILURE }, context),
  };

  it.each(Object.entries(passes))('removes a Machine: %s', async (_, end) => {
    const [first] = await workers();
    await w.objects.delete(kinds.machine, first ?? KEY);
    await end();

    expect(removed()).toEqual([first?.metadata.name]);
    expect(await machines()).toHaveLength(6);
  });

  it.each(Object.entries(passes))('removes a MachineDeployment with its set and machines: %s', async (_, end) => {
    await w.objects.delete(kinds.machineDeployment, KEY);
    await end();

    const found = await workers();
    expect(found).toHaveLength(3);
    expect(removed()).toEqual(namesOf(found));
    for (const { metadata } of found) {
      await w.objects.mutate(kinds.machine, metadata as typeof KEY, (now) => ({
        ...now,
        metadata: { ...now.metadata, finalizers: [] },
      }));
    }
    await end();
    expect(await w.objects.listOfCluster(kinds.machineSet, 'default', 'quickstart')).toEqual([]);
    await end();
    expect(await w.objects.get(kinds.machineDeployment, KEY)).toBeUndefined();
  });

  it('does not change the machines of other MachineDeployments', async () => {
    await w.objects.mutate(kinds.machineDeployment, KEY, (now) => ({ ...now, spec: { ...now.spec, replicas: 9 } }));
    const before = w.started.provision.length;
    await passes.concludeWhileUnready();

    expect(await workers()).toHaveLength(3);
    expect([w.started.provision.length, removed()]).toEqual([before, []]);
  });

  /** Replaces members of an object's metadata. */
  const edit = <T extends KubeObject>(resource: ResourceDefinition<T>, object: KubeObject, metadata: object) =>
    w.objects.mutate(resource, object.metadata as typeof KEY, (now) => ({
      ...now,
      metadata: { ...now.metadata, ...metadata },
    }));

  it('does not scale a MachineSet that is orphaned by its MachineDeployment', async () => {
    const [set] = await w.objects.listOfCluster(kinds.machineSet, 'default', 'quickstart');
    await w.objects.mutate(kinds.machineSet, set ?? KEY, (now) => ({ ...now, spec: { ...now.spec, replicas: 9 } }));
    const deployment = await w.objects.get(kinds.machineDeployment, KEY);
    const finalizers = [...(deployment?.metadata.finalizers ?? []), POLICY_FINALIZERS.Orphan];
    await edit(kinds.machineDeployment, deployment as MachineDeployment, { finalizers });
    await w.objects.delete(kinds.machineDeployment, KEY);
    await passes.concludeWhileUnready();

    expect(await workers()).toHaveLength(3);
  });

  it('keeps the templates of a topology that other MachineDeployments use', async () => {
    const owned = { labels: { 'cluster.x-k8s.io/cluster-name': 'quickstart', 'topology.cluster.x-k8s.io/owned': '' } };
    const [set] = await w.objects.listOfCluster(kinds.machineSet, 'default', 'quickstart');
    const template = await w.objects.get(kinds.awsMachineTemplate, KEY);
    const config = await w.objects.get(kinds.kubeadmConfigTemplate, KEY);
    for (const [resource, object] of [
      [kinds.machineSet, set],
      [kinds.awsMachineTemplate, template],
      [kinds.kubeadmConfigTemplate, config],
    ] as [ResourceDefinition, KubeObject][])
      await edit(resource, object, { labels: { ...object.metadata.labels, ...owned.labels } });
    const { spec } = (await w.objects.get(kinds.machineDeployment, KEY)) as MachineDeployment;
    await w.apply({
      ...{ apiVersion: 'cluster.x-k8s.io/v1beta2', kind: 'MachineDeployment', ...{ spec } },
      metadata: { namespace: 'default', name: 'other', labels: owned.labels },
    } as KubeObject);

    await w.objects.delete(kinds.machineDeployment, KEY);
    await passes.concludeWhileUnready();

    const [leaving] = await w.objects.listOfCluster(kinds.machineSet, 'default', 'quickstart');
    expect(leaving?.metadata.deletionTimestamp).toBeDefined();
    expect(await w.objects.get(kinds.awsMachineTemplate, KEY)).toBeDefined();
    expect(await w.objects.get(kinds.kubeadmConfigTemplate, KEY)).toBeDefined();
  });

  describe('of a MachinePool', () => {
    const POOL = { namespace: 'default', name: 'pool' };
    const pools = () => w.started.pool.map(({ name }) => name);

    beforeEach(async () => {
      await addPool(w);
      await w.steps.report(input, context);
    });

    it.each(Object.entries(passes))('removes it if only some of its Machines are being deleted: %s', async (_, end) => {
      await edit(kinds.machinePool, { metadata: POOL } as KubeObject, { finalizers: ['example.com/hold'] });
      await w.objects.delete(kinds.machinePool, POOL);
      await w.objects.mutate(kinds.awsMachinePool, POOL, withGroupRemoved);
      const [first] = (await machines()).filter(({ metadata }) => metadata.name.startsWith('pool-'));
      await edit(kinds.machine, first as KubeObject, { finalizers: ['example.com/hold'] });
      await w.objects.delete(kinds.machine, first ?? POOL);
      await end();

      expect(pools()).toEqual(['pool']);
    });

    it('removes the group of a deleted AWSMachinePool although the MachinePool stays', async () => {
      await edit(kinds.awsMachinePool, { metadata: POOL } as KubeObject, { finalizers: ['example.com/hold'] });
      await w.objects.delete(kinds.awsMachinePool, POOL);
      await passes.concludeWhileUnready();

      expect(pools()).toEqual(['pool']);
    });

    it('removes nothing if neither is deleted', async () => {
      await passes.concludeWhileUnready();
      expect(pools()).toEqual([]);
    });
  });

  it.each(Object.entries(passes))('removes a control plane without machines: %s', async (_, end) => {
    const owner = { namespace: 'default', name: 'quickstart-control-plane' };
    for (const machine of await machines())
      if (!machine.metadata.name.startsWith(KEY.name)) await edit(kinds.machine, machine, { ownerReferences: [] });
    await w.objects.delete(kinds.kubeadmControlPlane, owner);
    await end();

    expect(await w.objects.get(kinds.kubeadmControlPlane, owner)).toBeUndefined();
  });

  it('removes nothing while the Cluster is paused', async () => {
    await w.objects.delete(kinds.machineDeployment, KEY);
    await mutateCluster((now) => ({ ...now, spec: { ...now.spec, paused: true } }));
    await passes.fail();

    expect(removed()).toEqual([]);
    expect((await workers()).filter(({ metadata }) => metadata.deletionTimestamp)).toEqual([]);
  });

  it('does not hide the failure of the pass if a machine cannot be removed', async () => {
    const [first] = await workers();
    await w.objects.delete(kinds.machine, first ?? KEY);
    w.started.remove.push = () => {
      throw new Error('executions cannot be started');
    };

    await passes.fail();
    expect((await w.work.get(input.cluster))?.attempts).toBe(1);
    const events = await w.objects.list(kinds.event, 'default');
    expect(events.find(({ reason }) => reason === 'ReconcileFailed')?.message).toContain('it is broken');
    await expect(passes.concludeWhileUnready()).rejects.toThrow('executions cannot be started');
  });
});
