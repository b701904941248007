import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { kinds, type Machine } from '../../../../shared/kinds/index.ts';
import type { KubeObject } from '../../../../shared/kube-api/object.ts';
import { startTestDatabase, type TestDatabase } from '../../../../shared/store/test-table.ts';
import { beginProvision } from '../../../machine/objects/begin.ts';
import { allOutside, GROUP, makeOutsideWorld, type OutsideWorld, object, PATH } from '../references/test-outside.ts';
import { conditionOf } from '../test-world.ts';

describe('a cluster with external bootstrap and control plane providers', () => {
  let database: TestDatabase;
  let w: OutsideWorld;
  beforeAll(async () => {
    database = await startTestDatabase();
  });
  afterAll(() => database.stop());
  beforeEach(async () => {
    w = await makeOutsideWorld(database, allOutside);
  });

  const makeAll = async () => {
    await w.create(object('RackControlPlane', 'quickstart-control-plane', { replicas: 3, version: 'v1.34.2' }));
    await w.create(object('RackBootTemplate', 'quickstart-md-0', { template: { spec: { size: 'large' } } }));
    await w.complete();
  };
  const cluster = () => w.objects.get(kinds.cluster, w.input.cluster);

  it('adopts the control plane, and creates none of its machines', async () => {
    await makeAll();

    const { metadata } = await w.read('rackcontrolplanes', 'quickstart-control-plane');
    expect(metadata.ownerReferences).toMatchObject([{ kind: 'Cluster', controller: true }]);
    expect(metadata.finalizers).toBeUndefined();
    expect((await w.machines()).every(({ metadata: { labels } }) => !labels?.['cluster.x-k8s.io/control-plane'])).toBe(
      true,
    );
    expect((await cluster())?.status?.controlPlane).toMatchObject({ desiredReplicas: 3 });
  });

  it('copies the status of the control plane', async () => {
    await makeAll();
    w.touched.length = 0;
    const status = {
      initialization: { controlPlaneInitialized: true },
      replicas: 3,
      readyReplicas: 2,
      version: 'v1.34.2',
    };
    const conditions = [
      { type: 'Available', status: 'True', reason: 'Up', lastTransitionTime: '2026-01-01T00:00:00Z' },
    ];
    await w.setStatus('rackcontrolplanes', 'quickstart-control-plane', { status: { ...status, conditions } });
    expect(w.touched).toHaveLength(1);
    await w.pass();

    const seen = await cluster();
    expect(seen?.status).toMatchObject({
      initialization: { controlPlaneInitialized: true },
      controlPlane: { replicas: 3, readyReplicas: 2 },
    });
    expect(conditionOf(seen, 'ControlPlaneAvailable')).toMatchObject({ status: 'True' });
  });

  it('keeps the machines that the control plane creates until their infrastructure is gone', async () => {
    await makeAll();
    await w.objects.ensure(kinds.machine, {
      apiVersion: 'cluster.x-k8s.io/v1beta2',
      kind: 'Machine',
      metadata: {
        namespace: 'default',
        name: 'made-outside',
        labels: { 'cluster.x-k8s.io/cluster-name': 'quickstart', 'cluster.x-k8s.io/control-plane': '' },
      },
      spec: {
        clusterName: 'quickstart',
        bootstrap: { dataSecretName: 'x' },
        infrastructureRef: { apiGroup: GROUP, kind: 'RackMachine', name: 'made-outside' },
      },
    } as Machine);
    await w.pass();
    const made = await w.objects.get(kinds.machine, { namespace: 'default', name: 'made-outside' });
    expect(made?.metadata.finalizers).toEqual(['machine.cluster.x-k8s.io']);
  });

  it('uses the name of the bootstrap data that the provider reports', async () => {
    await makeAll();
    const [machine] = await w.machines();
    const { name = '' } = machine?.spec.bootstrap.configRef ?? {};
    const config = await w.read('rackboots', name);
    expect(config).toMatchObject({
      spec: { size: 'large' },
      metadata: {
        annotations: { 'cluster.x-k8s.io/cloned-from-groupkind': `RackBootTemplate.${GROUP}` },
        ownerReferences: [{ kind: 'Machine', controller: true }],
      },
    });
    const begin = async () => {
      const own = (await w.objects.get(kinds.machine, {
        namespace: 'default',
        name: machine?.metadata.name ?? '',
      })) as Machine;
      const { uid = '' } = own.metadata;
      const ref = { namespace: 'default', name: own.metadata.name, uid };
      const where = { clusterName: 'quickstart', clusterUid: w.input.cluster.uid };
      const deps = { ...w, touch: async () => {}, deliveries: {} };
      return beginProvision(deps as never)({ machine: { ...ref, ...where }, holder: 'x' });
    };
    expect(await begin()).toMatchObject({ proceed: false });

    const status = { initialization: { dataSecretCreated: true }, dataSecretName: 'boot-data' };
    await w.setStatus('rackboots', name, { status });
    await w.pass();
    expect(await begin()).toMatchObject({ proceed: true, infrastructure: 'outside' });

    const seen = await w.objects.get(kinds.machine, { namespace: 'default', name: machine?.metadata.name ?? '' });
    expect(seen?.spec.bootstrap.dataSecretName).toBe('boot-data');
    expect(seen?.status?.initialization).toMatchObject({ bootstrapDataSecretCreated: true });
  });

  it('deletes the control plane before the infrastructure, and waits for it', async () => {
    await makeAll();
    for (const [kind, name] of [
      ['rackcontrolplanes', 'quickstart-control-plane'],
      ['rackclusters', 'quickstart'],
    ])
      await w.setStatus(String(kind), String(name), { metadata: { finalizers: ['example.com/rack'] } });
    for (const { metadata } of await w.machines())
      await w.objects.mutate(kinds.machine, { namespace: 'default', name: metadata.name }, (current) => ({
        ...current,
        metadata: { ...current.metadata, finalizers: [] },
      }));
    await w.objects.delete(kinds.cluster, w.input.cluster);
    for (let at = 0; at < 6; at += 1) await w.pass();
    expect((await w.read('rackcontrolplanes', 'quickstart-control-plane')).metadata.deletionTimestamp).toBeDefined();
    expect((await w.read('rackclusters', 'quickstart')).metadata.deletionTimestamp).toBeUndefined();

    await w.release('rackcontrolplanes', 'quickstart-control-plane');
    await w.pass();
    expect((await w.read('rackclusters', 'quickstart')).metadata.deletionTimestamp).toBeDefined();
    await w.release('rackclusters', 'quickstart');
    await w.pass();
    expect(await cluster()).toBeUndefined();
    // The template of the control plane was never cloned, so the cluster never became its owner.
    const { items } = (await w.api.ask('GET', `${PATH}/rackmachinetemplates`)).body;
    expect(items.map((one: KubeObject) => one.metadata.name)).toEqual(['quickstart-control-plane']);
  });
});
