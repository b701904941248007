import { beforeEach, describe, expect, it } from 'vitest';
import { type AWSMachinePool, kinds } from '../../shared/kinds/index.ts';
import type { KubeObject } from '../../shared/kube-api/object.ts';
import { isGroupRemoved, reconciledDigest, withGroupChanged } from '../../shared/plan/pools/digest.ts';
import { KEY, LABELS, type PoolWorld, poolObjects, putInstances, usePoolWorlds } from './test-world.ts';

const makeWorld = usePoolWorlds();

let w: PoolWorld;
beforeEach(async () => {
  w = await makeWorld();
});

const group = (ids: readonly string[]) => putInstances(w, ids);

const machineNames = async () => {
  const all = await w.objects.listOfCluster(kinds.machine, 'default', 'red');
  return all.filter(({ metadata }) => !metadata.deletionTimestamp).map(({ metadata }) => metadata.name);
};

describe('the reconciliation of a MachinePool', () => {
  it('starts when everything that it needs exists, and makes the pool the owner of these objects', async () => {
    expect(await w.begin()).toMatchObject({ proceed: true, removal: false, infrastructure: 'aws' });
    const controlled = [{ kind: 'MachinePool', name: 'p', controller: true }];
    expect(await w.infrastructure()).toMatchObject({
      metadata: {
        labels: LABELS,
        ownerReferences: controlled,
        finalizers: ['awsmachinepool.infrastructure.cluster.x-k8s.io'],
      },
    });
    expect((await w.objects.get(kinds.kubeadmConfig, KEY))?.metadata.ownerReferences).toMatchObject(controlled);
    expect((await w.pool())?.metadata).toMatchObject({
      ownerReferences: [{ kind: 'Cluster', name: 'red' }],
      finalizers: ['machinepool.cluster.x-k8s.io'],
    });
  });

  it('does not start while another one runs', async () => {
    await w.begin();
    expect(await w.beginOf({ ...w.input, holder: 'pool/other' })).toMatchObject({ proceed: false });
  });

  it('does not start for a second pool that refers to the same objects', async () => {
    await w.begin();
    const [second] = await Promise.all(poolObjects('second').map(w.put));
    expect(await w.beginOf(w.inputOf(second))).toMatchObject({ proceed: false });
    const events = await w.objects.list(kinds.event, 'default');
    expect(events).toMatchObject([
      {
        reason: 'ReferenceNotOwned',
        message: 'AWSMachinePool p belongs to MachinePool p; refer to another object',
      },
    ]);
  });

  it('creates bootstrap data of a worker, whatever labels the template has', async () => {
    await w.begin();
    await w.bootstrap();
    const data = Buffer.from((await w.secret())?.data?.value ?? '', 'base64').toString();
    expect(data).toContain('kubeadm join');
    expect(data).not.toContain('BEGIN EC PRIVATE KEY');
    expect((await w.pool())?.spec.template.spec.bootstrap.dataSecretName).toBe('p');
    expect((await w.objects.get(kinds.kubeadmConfig, KEY))?.status).toMatchObject({ dataSecretName: 'p' });
  });

  it('creates new bootstrap data every week, but not within a week', async () => {
    await w.begin();
    const first = await w.bootstrap();
    const before = (await w.secret())?.data?.value;
    await w.clock.advance(3 * 24 * 3600);
    await w.begin();
    expect(await w.bootstrap()).toEqual(first);
    expect((await w.secret())?.data?.value).toBe(before);
    await w.clock.advance(5 * 24 * 3600);
    await w.begin();
    expect(await w.bootstrap()).not.toEqual(first);
    expect((await w.secret())?.data?.value).not.toBe(before);
  });

  it('creates and deletes Machines as instances are launched and terminated', async () => {
    await w.begin();
    await group(['i-1', 'i-2']);
    await w.machines();
    expect(await machineNames()).toEqual(['p-i-1', 'p-i-2']);
    expect(w.touched).toEqual(['red']);
    expect((await w.objects.get(kinds.awsMachine, { ...KEY, name: 'p-i-1' }))?.metadata).toMatchObject({
      labels: { 'cluster.x-k8s.io/pool-name': 'p' },
      finalizers: ['awsmachine.infrastructure.cluster.x-k8s.io'],
    });
    await w.machines();
    expect(w.touched).toEqual(['red']);
    await group(['i-2']);
    await w.machines();
    expect(await machineNames()).toEqual(['p-i-2']);
  });

  it('keeps the Machine of an instance whose AWSMachine has lost its owners, and restores the owners', async () => {
    await w.begin();
    await group(['i-1', 'i-2']);
    await w.machines();
    const lost = { ...KEY, name: 'p-i-1' };
    await w.objects.mutate(kinds.awsMachine, lost, ({ metadata: { ownerReferences: _, ...metadata }, ...rest }) => ({
      ...rest,
      metadata,
    }));
    await w.machines();
    expect(await machineNames()).toEqual(['p-i-1', 'p-i-2']);
    expect((await w.objects.get(kinds.awsMachine, lost))?.metadata.ownerReferences).toEqual([
      expect.objectContaining({ kind: 'Machine', controller: true }),
    ]);
  });

  it('keeps the Machine of an instance whose AWSMachine has lost its labels, and restores the labels', async () => {
    await w.begin();
    await group(['i-1', 'i-2']);
    await w.machines();
    const lost = { ...KEY, name: 'p-i-1' };
    await w.objects.mutate(kinds.awsMachine, lost, ({ metadata: { labels: _, ...metadata }, ...rest }) => ({
      ...rest,
      metadata,
    }));
    await w.machines();
    expect(await machineNames()).toEqual(['p-i-1', 'p-i-2']);
    expect((await w.objects.get(kinds.awsMachine, lost))?.metadata.labels).toMatchObject(LABELS);
  });

  it('renews bootstrap data whose Secret has lost its owner, but not a Secret with another owner', async () => {
    await w.begin();
    await w.bootstrap();
    const own = (ownerReferences: object[]) =>
      w.objects.mutate(kinds.secret, KEY, ({ metadata, ...rest }) => ({
        ...rest,
        metadata: { ...metadata, ownerReferences: ownerReferences as never },
      }));
    await own([]);
    await w.clock.advance(8 * 24 * 3600);
    await w.begin();
    await w.bootstrap();
    expect((await w.secret())?.metadata.ownerReferences).toEqual([
      expect.objectContaining({ kind: 'KubeadmConfig', name: 'p', controller: true }),
    ]);
    await own([{ apiVersion: 'v1', kind: 'ConfigMap', name: 'x', uid: 'u' }]);
    await expect(w.bootstrap()).rejects.toThrow('does not belong to KubeadmConfig p');
  });

  it('records the state that was reached, even if another was requested meanwhile', async () => {
    await w.begin();
    const { digest } = await w.bootstrap();
    await w.objects.mutate(kinds.machinePool, KEY, (pool) => ({ ...pool, spec: { ...pool.spec, replicas: 3 } }));
    await w.finish({ digest, outcome: 'done' });
    const infrastructure = await w.infrastructure();
    expect(infrastructure && reconciledDigest(infrastructure)).toBe(digest);
    await w.begin();
    expect((await w.bootstrap()).digest).not.toBe(digest);
  });

  it('records nothing if the group has changed since the last check began', async () => {
    const change = () => w.objects.mutate(kinds.awsMachinePool, KEY, (pool) => withGroupChanged(pool) as typeof pool);
    const recorded = async () => reconciledDigest((await w.infrastructure()) as AWSMachinePool);
    await change();
    await w.begin();
    await w.finish({ ...(await w.bootstrap()), outcome: 'done' });
    expect(await recorded()).toBeDefined();
    await w.begin();
    const { digest } = await w.bootstrap();
    await change();
    await w.finish({ digest, outcome: 'done' });
    expect(await recorded()).toBeUndefined();
    await w.begin();
    await w.finish({ ...(await w.bootstrap()), outcome: 'done' });
    expect(await recorded()).toBe(digest);
  });

  it('records nothing if the requested state was not reached', async () => {
    await w.begin();
    const { digest } = await w.bootstrap();
    await w.finish({ digest, outcome: 'failed' });
    const infrastructure = await w.infrastructure();
    expect(infrastructure && reconciledDigest(infrastructure)).toBeUndefined();
    expect(await w.begin()).toMatchObject({ proceed: true });
  });

  it('pauses for a while if the group lists an instance that gets no Machine', async () => {
    const next = { ...w.input, holder: 'next' };
    await w.begin();
    const { digest } = await w.bootstrap();
    await group(['i-1']);
    await w.machines();
    await w.finish({ digest, outcome: 'done' });
    expect(await w.beginOf(next)).toMatchObject({ proceed: true });
    await w.objects.mutate(kinds.awsMachinePool, KEY, (pool) => ({
      ...pool,
      spec: { ...pool.spec, providerIDList: ['aws:///us-east-1a/i-1', 'aws:///us-east-1a/i-2'] } as typeof pool.spec,
    }));
    await w.finish({ digest, outcome: 'done', holder: 'next' });
    expect(await w.begin()).toMatchObject({ proceed: false });
    await w.clock.advance(25);
    expect(await w.begin()).toMatchObject({ proceed: true });
  });

  it('pauses for a while after a failure, but not if the pool is paused', async () => {
    const next = { ...w.input, holder: 'next' };
    const annotate = (annotations: Record<string, string>) =>
      w.objects.mutate(kinds.machinePool, KEY, (pool) => ({ ...pool, metadata: { ...pool.metadata, annotations } }));
    await w.begin();
    await annotate({ 'cluster.x-k8s.io/paused': '' });
    await w.finish({ outcome: 'failed' });
    await annotate({});
    expect(await w.beginOf(next)).toMatchObject({ proceed: true });
    await w.finish({ outcome: 'failed', holder: 'next' });
    expect(await w.begin()).toMatchObject({ proceed: false });
  });

  it('removes the pool once its Machines are gone', async () => {
    await w.begin();
    await w.bootstrap();
    await group(['i-1']);
    await w.machines();
    await w.objects.delete(kinds.machinePool, KEY);
    expect(await w.begin()).toMatchObject({ proceed: true, removal: true });
    await w.remove();
    expect(await w.pool()).toBeDefined();
    expect(isGroupRemoved((await w.infrastructure()) as AWSMachinePool)).toBe(true);
    await w.objects.mutate(kinds.machine, { ...KEY, name: 'p-i-1' }, (machine) => ({
      ...machine,
      metadata: { ...machine.metadata, finalizers: [] },
    }));
    await w.remove();
    for (const kind of [kinds.machinePool, kinds.awsMachinePool, kinds.kubeadmConfig, kinds.secret])
      expect(await w.objects.get(kind as typeof kinds.secret, KEY)).toBeUndefined();
  });

  it('removes the group if only the infrastructure of the pool is deleted, and creates a group for the next infrastructure', async () => {
    await w.begin();
    await w.bootstrap();
    await group(['i-1']);
    await w.machines();
    await w.objects.delete(kinds.awsMachinePool, KEY);
    expect(await w.begin()).toMatchObject({ proceed: true, removal: true });
    await w.remove();
    expect(await w.infrastructure()).toBeDefined();
    expect(await machineNames()).toEqual([]);
    await w.objects.mutate(kinds.machine, { ...KEY, name: 'p-i-1' }, (machine) => ({
      ...machine,
      metadata: { ...machine.metadata, finalizers: [] },
    }));
    await w.remove();
    expect(await w.infrastructure()).toBeUndefined();
    expect((await w.pool())?.metadata.deletionTimestamp).toBeUndefined();
    expect(await w.secret()).toBeDefined();
    expect(await w.objects.get(kinds.kubeadmConfig, KEY)).toBeDefined();
    expect(await w.begin()).toMatchObject({ proceed: false });
    await w.put({
      apiVersion: 'infrastructure.cluster.x-k8s.io/v1beta2',
      kind: 'AWSMachinePool',
      metadata: KEY,
      spec: { minSize: 1, maxSize: 3, awsLaunchTemplate: { instanceType: 't3.large' } },
    } as KubeObject);
    expect(await w.begin()).toMatchObject({ proceed: true, removal: false });
  });

  it('does not remove the group of another pool to whose infrastructure the pool refers', async () => {
    await w.begin();
    const [second] = await Promise.all(poolObjects('second').map(w.put));
    await w.objects.delete(kinds.awsMachinePool, KEY);
    expect(await w.beginOf(w.inputOf(second))).toMatchObject({ proceed: false });
  });
});
