import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { kinds } from '../../../../shared/kinds/index.ts';
import { startTestDatabase, type TestDatabase } from '../../../../shared/store/test-table.ts';
import { CRDS } from '../../../api/custom/test-widgets.ts';
import { conditionOf } from '../test-world.ts';
import { GROUP, makeOutsideWorld, type OutsideWorld, object } from './test-outside.ts';

describe('infrastructure of an external provider', () => {
  let database: TestDatabase;
  let w: OutsideWorld;
  beforeAll(async () => {
    database = await startTestDatabase();
  });
  afterAll(() => database.stop());
  beforeEach(async () => {
    w = await makeOutsideWorld(database);
  });

  it('is adopted in the pass that its creation starts', async () => {
    expect(await w.pass()).toBe('paused');
    await w.create(object('RackCluster', 'quickstart', {}));
    expect(w.touched.map(({ name }) => name)).toEqual(['quickstart']);

    expect(await w.pass()).toBe('normal');

    const { metadata } = await w.read('rackclusters', 'quickstart');
    expect(metadata.labels).toEqual({ 'cluster.x-k8s.io/cluster-name': 'quickstart' });
    expect(metadata.ownerReferences).toMatchObject([{ kind: 'Cluster', name: 'quickstart', controller: true }]);
    expect(metadata.finalizers).toBeUndefined();
    expect(await w.machines()).toEqual([]);
    const cluster = await w.objects.get(kinds.cluster, w.input.cluster);
    expect(conditionOf(cluster, 'InfrastructureReady')).toMatchObject({ status: 'False' });
  });

  it('starts a pass when a field of the contract changes, and only then', async () => {
    await w.create(object('RackCluster', 'quickstart', {}));
    await w.pass();
    w.touched.length = 0;
    await w.setStatus('rackclusters', 'quickstart', {
      status: { phase: 'Building', conditions: [{ type: 'Own', status: 'True' }] },
    });
    expect(w.touched).toEqual([]);
    await w.setStatus('rackclusters', 'quickstart', { status: { initialization: { provisioned: true } } });
    expect(w.touched).toHaveLength(1);
  });

  it('gives the Cluster its endpoint, and machines cloned from its templates', async () => {
    await w.complete();

    const cluster = await w.objects.get(kinds.cluster, w.input.cluster);
    expect(cluster?.spec.controlPlaneEndpoint).toEqual({ host: 'api.example.com', port: 6443 });
    expect(cluster?.status?.failureDomains).toEqual([{ name: 'a', controlPlane: true }]);
    const [machine] = await w.machines();
    const clone = await w.read('rackmachines', machine?.metadata.name ?? '');
    expect(clone).toMatchObject({
      apiVersion: `${GROUP}/v2`,
      spec: { size: 'small' },
      metadata: {
        labels: { rack: '1', 'cluster.x-k8s.io/cluster-name': 'quickstart' },
        annotations: {
          'cluster.x-k8s.io/cloned-from-name': 'quickstart-control-plane',
          'cluster.x-k8s.io/cloned-from-groupkind': `RackMachineTemplate.${GROUP}`,
        },
        ownerReferences: [{ kind: 'Machine', controller: true }],
      },
    });
    expect(clone.metadata.finalizers).toBeUndefined();
    expect(machine?.spec.infrastructureRef).toMatchObject({ apiGroup: GROUP, kind: 'RackMachine' });
    expect(w.started.provision.length).toBeGreaterThan(0);
  });

  it('reports on a Machine what its provider reports', async () => {
    await w.complete();
    const [machine] = await w.machines();
    const name = machine?.metadata.name ?? '';
    const addresses = [{ type: 'InternalIP', address: '10.0.0.1' }];
    await w.setStatus('rackmachines', name, { spec: { providerID: 'rack://1' }, status: { addresses } });
    await w.pass();
    expect((await w.objects.get(kinds.machine, { namespace: 'default', name }))?.spec.providerID).toBeUndefined();

    w.touched.length = 0;
    await w.setStatus('rackmachines', name, { status: { initialization: { provisioned: true }, failureDomain: 'a' } });
    expect(w.touched).toHaveLength(1);
    await w.pass();

    const seen = await w.objects.get(kinds.machine, { namespace: 'default', name });
    expect(seen?.spec.providerID).toBe('rack://1');
    expect(seen?.status).toMatchObject({
      ...{ addresses, failureDomain: 'a', phase: 'Provisioned' },
      initialization: { infrastructureProvisioned: true },
    });
  });

  it('is deleted after the machines, and the Cluster waits for it', async () => {
    await w.complete();
    await w.setStatus('rackclusters', 'quickstart', { metadata: { finalizers: ['example.com/rack'] } });
    for (const { metadata } of await w.machines())
      await w.objects.mutate(kinds.machine, { namespace: 'default', name: metadata.name }, (current) => ({
        ...current,
        metadata: { ...current.metadata, finalizers: [] },
      }));
    await w.objects.delete(kinds.cluster, w.input.cluster);
    for (let at = 0; at < 6; at += 1) await w.pass();

    const held = await w.read('rackclusters', 'quickstart');
    expect(held.metadata.deletionTimestamp).toBeDefined();
    expect(await w.objects.get(kinds.cluster, w.input.cluster)).toBeDefined();

    w.touched.length = 0;
    await w.release('rackclusters', 'quickstart');
    expect(w.touched.map(({ name }) => name)).toEqual(['quickstart']);
    await w.pass();
    expect(await w.objects.get(kinds.cluster, w.input.cluster)).toBeUndefined();
  });

  it('is not touched if another object controls it', async () => {
    const owner = { apiVersion: 'v1', kind: 'ConfigMap', name: 'other', uid: 'uid-of-another', controller: true };
    await w.create({
      ...object('RackCluster', 'quickstart', {}),
      metadata: { name: 'quickstart', namespace: 'default', ownerReferences: [owner] },
    } as never);
    expect(await w.pass()).toBe('paused');
    await w.objects.delete(kinds.cluster, w.input.cluster);
    for (let at = 0; at < 4; at += 1) await w.pass();

    expect((await w.read('rackclusters', 'quickstart')).metadata.ownerReferences).toEqual([owner]);
    expect(await w.objects.get(kinds.cluster, w.input.cluster)).toBeUndefined();
  });

  it('is reported as unknown without the label of a contract', async () => {
    await w.create(object('RackCluster', 'quickstart', {}));
    const path = `${CRDS}/rackclusters.${GROUP}`;
    expect((await w.api.ask('PATCH', path, { metadata: { labels: { 'cluster.x-k8s.io/v1beta2': null } } })).code).toBe(
      200,
    );
    expect(await w.pass()).toBe('paused');
    const cluster = await w.objects.get(kinds.cluster, w.input.cluster);
    expect(conditionOf(cluster, 'InfrastructureReady')?.message).toContain('the label cluster.x-k8s.io/v1beta2');
  });
});
