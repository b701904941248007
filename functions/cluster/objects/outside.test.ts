/** A cluster whose infrastructure is of kinds that CustomResourceDefinitions describe, and what its provider writes through the API. */
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { kinds, type Machine } from '../../../shared/kinds/index.ts';
import type { KubeObject } from '../../../shared/kube-api/object.ts';
import type { Storage } from '../../../shared/kube-api/storage.ts';
import type { TestDatabase } from '../../../shared/store/test-table.ts';
import { startTestDatabase } from '../../../shared/store/test-table.ts';
import type { ClusterRef, ConvergeInput } from '../../../shared/work/payloads.ts';
import { createTestApi } from '../../api/test-api.ts';
import { CRDS } from '../../api/test-widgets.ts';
import { beginProvision } from '../../machine/objects/begin.ts';
import { conditionOf, context, makeWorld, quickstart, type World } from './test-world.ts';

const GROUP = 'infrastructure.example.com';
const PATH = `/apis/${GROUP}/v2/namespaces/default`;

const KINDS = [
  ...['RackCluster', 'RackMachine', 'RackMachineTemplate'],
  ...['RackControlPlane', 'RackBoot', 'RackBootTemplate'],
];

const free = { type: 'object', 'x-kubernetes-preserve-unknown-fields': true };

const definition = (kind: string, labels: Record<string, string> = { 'cluster.x-k8s.io/v1beta2': 'v1_v2' }) => {
  const plural = `${kind.toLowerCase()}s`;
  const properties = { spec: { ...free, properties: { size: { type: 'string', default: 'small' } } }, status: free };
  const version = (name: string) => ({
    ...{ name, served: true, storage: name === 'v1', subresources: { status: {} } },
    schema: { openAPIV3Schema: { type: 'object', properties } },
  });
  return {
    apiVersion: 'apiextensions.k8s.io/v1',
    kind: 'CustomResourceDefinition',
    metadata: { name: `${plural}.${GROUP}`, labels },
    spec: {
      group: GROUP,
      scope: 'Namespaced',
      names: { kind, plural },
      versions: [version('v1'), version('v2')],
    },
  };
};

const object = (kind: string, name: string, spec: object) => ({
  apiVersion: `${GROUP}/v2`,
  kind,
  metadata: { name, namespace: 'default' },
  spec,
});

/** The example with kinds of the provider in place of all others. */
const allOutside = (one: KubeObject): KubeObject =>
  JSON.parse(
    JSON.stringify(one)
      .replaceAll(/"apiGroup":"[^"]*","kind":"Kubeadm/g, `"apiGroup":"${GROUP}","kind":"Rack`)
      .replaceAll('RackConfigTemplate', 'RackBootTemplate'),
  );

/** The example with kinds of the provider in place of those of AWS. */
const objectsOf = async (): Promise<KubeObject[]> =>
  (await quickstart())
    .filter(({ kind }) => !kind.startsWith('AWS'))
    .map((one) =>
      JSON.parse(
        JSON.stringify(one).replaceAll(/"apiGroup":"[^"]*","kind":"AWS/g, `"apiGroup":"${GROUP}","kind":"Rack`),
      ),
    );

describe('infrastructure of a provider from outside', () => {
  let database: TestDatabase;
  let w: World;
  let input: ConvergeInput;
  let api: ReturnType<typeof createTestApi>['admin'];
  let touched: ClusterRef[];

  beforeAll(async () => {
    database = await startTestDatabase();
  });
  afterAll(() => database.stop());

  const create = async (one: object & { kind: string }) => {
    const answer = await api.ask('POST', `${PATH}/${one.kind.toLowerCase()}s`, one);
    expect([answer.code, answer.body.message]).toEqual([201, undefined]);
  };
  const setStatus = async (kind: string, name: string, body: object) => {
    const path = `${PATH}/${kind}/${name}`;
    for (const to of [path, `${path}/status`]) expect((await api.ask('PATCH', to, body)).code).toBe(200);
  };
  /** The provider lets an object go. */
  const release = async (kind: string, name: string) => {
    const answer = await api.ask('PATCH', `${PATH}/${kind}/${name}`, { metadata: { finalizers: null } });
    expect(answer.code).toBe(200);
  };
  const read = async (kind: string, name: string) => (await api.ask('GET', `${PATH}/${kind}/${name}`)).body;
  const machines = (): Promise<Machine[]> => w.objects.listOfCluster(kinds.machine, 'default', 'quickstart');

  const pass = async () => {
    const { mode } = await w.steps.begin(input, context);
    if (mode === 'normal') {
      const { ready } = await w.steps.outside(input, context);
      if (ready) await w.steps.machines(input, context);
    }
    if (mode === 'delete') await w.steps.teardown(input, context);
    await w.steps.conclude(input, context);
    return mode;
  };

  const provision = () =>
    setStatus('rackclusters', 'quickstart', {
      spec: { controlPlaneEndpoint: { host: 'api.example.com', port: 6443 } },
      status: { initialization: { provisioned: true }, failureDomains: [{ name: 'a', controlPlane: true }] },
    });

  beforeEach(async () => {
    let storage: Storage | undefined;
    w = await makeWorld(database, (made) => {
      storage = made;
      return made;
    });
    touched = [];
    const touch = async (cluster: ClusterRef) => void touched.push(cluster);
    api = createTestApi(storage, { touch }).admin;
    for (const kind of KINDS) expect((await api.ask('POST', CRDS, definition(kind))).code).toBe(201);
  });

  const apply = async (change: (object: KubeObject) => KubeObject = (one) => one) => {
    for (const one of await objectsOf()) await w.apply(change(one));
    const cluster = await w.objects.get(kinds.cluster, { namespace: 'default', name: 'quickstart' });
    input = w.inputOf(cluster as KubeObject, 1);
  };

  const complete = async () => {
    await create(object('RackCluster', 'quickstart', {}));
    for (const name of ['quickstart-control-plane', 'quickstart-md-0'])
      await create(
        object('RackMachineTemplate', name, { template: { metadata: { labels: { rack: '1' } }, spec: {} } }),
      );
    await provision();
    await pass();
  };

  describe('with bootstrap and control plane of Windlass', () => {
    beforeEach(() => apply());

    it('is adopted when it comes, and its coming wakes the cluster', async () => {
      expect(await pass()).toBe('paused');
      await create(object('RackCluster', 'quickstart', {}));
      expect(touched.map(({ name }) => name)).toEqual(['quickstart']);

      expect(await pass()).toBe('normal');

      const { metadata } = await read('rackclusters', 'quickstart');
      expect(metadata.labels).toEqual({ 'cluster.x-k8s.io/cluster-name': 'quickstart' });
      expect(metadata.ownerReferences).toMatchObject([{ kind: 'Cluster', name: 'quickstart', controller: true }]);
      expect(metadata.finalizers).toBeUndefined();
      expect(await machines()).toEqual([]);
      const cluster = await w.objects.get(kinds.cluster, input.cluster);
      expect(conditionOf(cluster, 'InfrastructureReady')).toMatchObject({ status: 'False' });
    });

    it('wakes the cluster by what the contract names, and by nothing else', async () => {
      await create(object('RackCluster', 'quickstart', {}));
      await pass();
      touched.length = 0;
      await setStatus('rackclusters', 'quickstart', {
        status: { phase: 'Building', conditions: [{ type: 'Own', status: 'True' }] },
      });
      expect(touched).toEqual([]);
      await setStatus('rackclusters', 'quickstart', { status: { initialization: { provisioned: true } } });
      expect(touched).toHaveLength(1);
    });

    it('gives the Cluster its endpoint, and machines cloned from its templates', async () => {
      await complete();

      const cluster = await w.objects.get(kinds.cluster, input.cluster);
      expect(cluster?.spec.controlPlaneEndpoint).toEqual({ host: 'api.example.com', port: 6443 });
      expect(cluster?.status?.failureDomains).toEqual([{ name: 'a', controlPlane: true }]);
      const [machine] = await machines();
      const clone = await read('rackmachines', machine?.metadata.name ?? '');
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

    it('says of a Machine what its provider says', async () => {
      await complete();
      const [machine] = await machines();
      const name = machine?.metadata.name ?? '';
      const addresses = [{ type: 'InternalIP', address: '10.0.0.1' }];
      await setStatus('rackmachines', name, { spec: { providerID: 'rack://1' }, status: { addresses } });
      await pass();
      expect((await w.objects.get(kinds.machine, { namespace: 'default', name }))?.spec.providerID).toBeUndefined();

      touched.length = 0;
      await setStatus('rackmachines', name, { status: { initialization: { provisioned: true }, failureDomain: 'a' } });
      expect(touched).toHaveLength(1);
      await pass();

      const seen = await w.objects.get(kinds.machine, { namespace: 'default', name });
      expect(seen?.spec.providerID).toBe('rack://1');
      expect(seen?.status).toMatchObject({
        ...{ addresses, failureDomain: 'a', phase: 'Provisioned' },
        initialization: { infrastructureProvisioned: true },
      });
    });

    it('is deleted after the machines, and waited for', async () => {
      await complete();
      await setStatus('rackclusters', 'quickstart', { metadata: { finalizers: ['example.com/rack'] } });
      for (const { metadata } of await machines())
        await w.objects.mutate(kinds.machine, { namespace: 'default', name: metadata.name }, (current) => ({
          ...current,
          metadata: { ...current.metadata, finalizers: [] },
        }));
      await w.objects.delete(kinds.cluster, input.cluster);
      for (let at = 0; at < 6; at += 1) await pass();

      const held = await read('rackclusters', 'quickstart');
      expect(held.metadata.deletionTimestamp).toBeDefined();
      expect(await w.objects.get(kinds.cluster, input.cluster)).toBeDefined();

      touched.length = 0;
      await release('rackclusters', 'quickstart');
      expect(touched.map(({ name }) => name)).toEqual(['quickstart']);
      await pass();
      expect(await w.objects.get(kinds.cluster, input.cluster)).toBeUndefined();
    });

    it('is left alone where another object controls it', async () => {
      const owner = { apiVersion: 'v1', kind: 'ConfigMap', name: 'other', uid: 'uid-of-another', controller: true };
      await create({
        ...object('RackCluster', 'quickstart', {}),
        metadata: { name: 'quickstart', namespace: 'default', ownerReferences: [owner] },
      } as never);
      expect(await pass()).toBe('paused');
      await w.objects.delete(kinds.cluster, input.cluster);
      for (let at = 0; at < 4; at += 1) await pass();

      expect((await read('rackclusters', 'quickstart')).metadata.ownerReferences).toEqual([owner]);
      expect(await w.objects.get(kinds.cluster, input.cluster)).toBeUndefined();
    });

    it('is unknown without the label of a contract', async () => {
      await create(object('RackCluster', 'quickstart', {}));
      const path = `${CRDS}/rackclusters.${GROUP}`;
      expect((await api.ask('PATCH', path, { metadata: { labels: { 'cluster.x-k8s.io/v1beta2': null } } })).code).toBe(
        200,
      );
      expect(await pass()).toBe('paused');
      const cluster = await w.objects.get(kinds.cluster, input.cluster);
      expect(conditionOf(cluster, 'InfrastructureReady')?.message).toContain('the label cluster.x-k8s.io/v1beta2');
    });
  });

  describe('with bootstrap and control plane of the provider', () => {
    beforeEach(() => apply(allOutside));

    const makeAll = async () => {
      await create(object('RackControlPlane', 'quickstart-control-plane', { replicas: 3, version: 'v1.34.2' }));
      await create(object('RackBootTemplate', 'quickstart-md-0', { template: { spec: { size: 'large' } } }));
      await complete();
    };
    const cluster = () => w.objects.get(kinds.cluster, input.cluster);

    it('adopts the control plane, and makes none of its machines', async () => {
      await makeAll();

      const { metadata } = await read('rackcontrolplanes', 'quickstart-control-plane');
      expect(metadata.ownerReferences).toMatchObject([{ kind: 'Cluster', controller: true }]);
      expect(metadata.finalizers).toBeUndefined();
      expect((await machines()).every(({ metadata: { labels } }) => !labels?.['cluster.x-k8s.io/control-plane'])).toBe(
        true,
      );
      expect((await cluster())?.status?.controlPlane).toMatchObject({ desiredReplicas: 3 });
    });

    it('follows what the control plane says', async () => {
      await makeAll();
      touched.length = 0;
      const status = {
        initialization: { controlPlaneInitialized: true },
        replicas: 3,
        readyReplicas: 2,
        version: 'v1.34.2',
      };
      const conditions = [
        { type: 'Available', status: 'True', reason: 'Up', lastTransitionTime: '2026-01-01T00:00:00Z' },
      ];
      await setStatus('rackcontrolplanes', 'quickstart-control-plane', { status: { ...status, conditions } });
      expect(touched).toHaveLength(1);
      await pass();

      const seen = await cluster();
      expect(seen?.status).toMatchObject({
        initialization: { controlPlaneInitialized: true },
        controlPlane: { replicas: 3, readyReplicas: 2 },
      });
      expect(conditionOf(seen, 'ControlPlaneAvailable')).toMatchObject({ status: 'True' });
    });

    it('takes the name of the bootstrap data from its provider', async () => {
      await makeAll();
      const [machine] = await machines();
      const { name = '' } = machine?.spec.bootstrap.configRef ?? {};
      const config = await read('rackboots', name);
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
        const where = { clusterName: 'quickstart', clusterUid: input.cluster.uid };
        const deps = { ...w, touch: async () => {}, deliveries: {} };
        return beginProvision(deps as never)({ machine: { ...ref, ...where }, holder: 'x' });
      };
      expect(await begin()).toMatchObject({ proceed: false });

      const status = { initialization: { dataSecretCreated: true }, dataSecretName: 'boot-data' };
      await setStatus('rackboots', name, { status });
      await pass();
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
        await setStatus(String(kind), String(name), { metadata: { finalizers: ['example.com/rack'] } });
      for (const { metadata } of await machines())
        await w.objects.mutate(kinds.machine, { namespace: 'default', name: metadata.name }, (current) => ({
          ...current,
          metadata: { ...current.metadata, finalizers: [] },
        }));
      await w.objects.delete(kinds.cluster, input.cluster);
      for (let at = 0; at < 6; at += 1) await pass();
      expect((await read('rackcontrolplanes', 'quickstart-control-plane')).metadata.deletionTimestamp).toBeDefined();
      expect((await read('rackclusters', 'quickstart')).metadata.deletionTimestamp).toBeUndefined();

      await release('rackcontrolplanes', 'quickstart-control-plane');
      await pass();
      expect((await read('rackclusters', 'quickstart')).metadata.deletionTimestamp).toBeDefined();
      await release('rackclusters', 'quickstart');
      await pass();
      expect(await cluster()).toBeUndefined();
      // Nothing has cloned the template of the control plane, so that the cluster never came to own it.
      const { items } = (await api.ask('GET', `${PATH}/rackmachinetemplates`)).body;
      expect(items.map((one: KubeObject) => one.metadata.name)).toEqual(['quickstart-control-plane']);
    });
  });
});
