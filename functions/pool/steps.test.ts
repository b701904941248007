import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import {
  type ClusterCertificates,
  generateClusterCertificates,
} from '../../shared/bootstrap/certificates/authority.ts';
import { webCryptoKeys } from '../../shared/bootstrap/certificates/keys.ts';
import { toSecret } from '../../shared/bootstrap/certificates/secrets.ts';
import { type AWSMachinePool, KINDS, kinds, type Secret } from '../../shared/kinds/index.ts';
import { createRegistry } from '../../shared/kube-api/create-registry.ts';
import { createMemoryStorage } from '../../shared/kube-api/memory-storage.ts';
import type { KubeObject } from '../../shared/kube-api/object.ts';
import { createObjectClient } from '../../shared/kube-api/object-client.ts';
import { silentLog } from '../../shared/log.ts';
import { reconciledDigest } from '../../shared/plan/pools/digest.ts';
import { systemRandom } from '../../shared/random.ts';
import { createMemoryRecords } from '../../shared/store/memory-records.ts';
import { withMemory } from '../../shared/store/remembering-client.ts';
import { startTestDatabase, type TestDatabase, testClock } from '../../shared/store/test-table.ts';
import { createWorkStore } from '../../shared/store/work-store.ts';
import type { PoolInput } from '../../shared/work/payloads.ts';
import { clusterObjects } from '../machine/objects/test-objects.ts';
import { makePoolObjectsSteps } from './steps.ts';

let database: TestDatabase;
let certificates: ClusterCertificates;

beforeAll(async () => {
  database = await startTestDatabase();
  const dependencies = { clock: testClock('2026-01-01T00:00:00Z'), random: systemRandom, keys: webCryptoKeys };
  certificates = await generateClusterCertificates({ ...dependencies, algorithm: 'ECDSA-P256' });
});
afterAll(() => database.stop());

const KEY = { namespace: 'default', name: 'p' };
const LABELS = { 'cluster.x-k8s.io/cluster-name': 'red' };
const BOOTSTRAP = { apiGroup: 'bootstrap.cluster.x-k8s.io', kind: 'KubeadmConfig', name: 'p' };
const INFRASTRUCTURE = { apiGroup: 'infrastructure.cluster.x-k8s.io', kind: 'AWSMachinePool', name: 'p' };

const poolObjects = (name = 'p'): KubeObject[] => [
  {
    apiVersion: 'cluster.x-k8s.io/v1beta2',
    kind: 'MachinePool',
    metadata: { ...KEY, name, labels: LABELS },
    spec: {
      clusterName: 'red',
      replicas: 2,
      template: {
        metadata: { labels: { 'cluster.x-k8s.io/control-plane': '' } },
        spec: {
          clusterName: 'red',
          version: 'v1.34.0',
          bootstrap: { configRef: BOOTSTRAP },
          infrastructureRef: INFRASTRUCTURE,
        },
      },
    },
  } as KubeObject,
];

const world = async () => {
  const clock = testClock('2026-01-01T00:00:00Z');
  const registry = createRegistry({ resources: KINDS, storage: createMemoryStorage(), clock, random: systemRandom });
  const objects = withMemory(createObjectClient(registry), createMemoryRecords());
  const work = createWorkStore({ client: database.client, table: await database.makeTable(), clock });
  const touched: string[] = [];
  const steps = makePoolObjectsSteps({ objects, work, clock, touch: async ({ name }) => void touched.push(name) });
  const put = async (object: KubeObject) => {
    const resource = KINDS.find(({ kind }) => kind === object.kind);
    if (!resource) throw new Error(object.kind);
    return (await objects.ensure(resource, object)).object;
  };
  const [cluster] = await Promise.all(clusterObjects.map(put));
  for (const purpose of ['ca', 'etcd', 'proxy', 'sa'] as const)
    await put(toSecret('red', 'default', purpose, certificates[purpose]));
  const [pool] = await Promise.all(poolObjects().map(put));
  await put({ apiVersion: 'bootstrap.cluster.x-k8s.io/v1beta2', kind: 'KubeadmConfig', metadata: KEY } as KubeObject);
  await put({
    apiVersion: 'infrastructure.cluster.x-k8s.io/v1beta2',
    kind: 'AWSMachinePool',
    metadata: KEY,
    spec: { minSize: 1, maxSize: 3, awsLaunchTemplate: { instanceType: 't3.large' } },
  } as KubeObject);
  const inputOf = (of: KubeObject | undefined): PoolInput => ({
    pool: {
      ...{ namespace: 'default', name: of?.metadata.name ?? '', uid: of?.metadata.uid ?? '' },
      ...{ clusterName: 'red', clusterUid: cluster?.metadata.uid ?? '' },
    },
    holder: `pool/${of?.metadata.uid}-1`,
  });
  const input = inputOf(pool);
  const context = { log: silentLog };
  return {
    ...{ objects, clock, touched, put, input, inputOf },
    begin: () => steps.beginPool(input, context),
    beginOf: (other: PoolInput) => steps.beginPool(other, context),
    bootstrap: () => steps.poolBootstrap(input, context),
    machines: () => steps.poolMachines(input, context),
    finish: (more: Partial<PoolInput>) => steps.finishPool({ ...input, ...more }, context),
    remove: () => steps.finishPoolRemoval({ ...input, outcome: 'done' }, context),
    pool: () => objects.get(kinds.machinePool, KEY),
    infrastructure: () => objects.get(kinds.awsMachinePool, KEY),
    secret: () => objects.get(kinds.secret, KEY) as Promise<Secret | undefined>,
  };
};

type World = Awaited<ReturnType<typeof world>>;
let w: World;
beforeEach(async () => {
  w = await world();
});

/** What the provider writes when the group has these instances. */
const group = async (ids: readonly string[]) => {
  const owner = (await w.infrastructure())?.metadata.uid ?? '';
  for (const id of ids)
    await w.put({
      apiVersion: 'infrastructure.cluster.x-k8s.io/v1beta2',
      kind: 'AWSMachine',
      metadata: {
        ...{ namespace: 'default', name: `p-${id}`, labels: LABELS },
        ownerReferences: [
          { apiVersion: 'infrastructure.cluster.x-k8s.io/v1beta2', kind: 'AWSMachinePool', name: 'p', uid: owner },
        ],
      },
      spec: { instanceType: 't3.large', instanceID: id, providerID: `aws:///us-east-1a/${id}` },
    } as unknown as KubeObject);
  await w.objects.mutate(kinds.awsMachinePool, KEY, (current) => ({
    ...current,
    spec: { ...current.spec, providerIDList: ids.map((id) => `aws:///us-east-1a/${id}`) } as AWSMachinePool['spec'],
    status: { ...current.status, ready: true, replicas: ids.length },
  }));
};

const machineNames = async () => {
  const all = await w.objects.listOfCluster(kinds.machine, 'default', 'red');
  return all.filter(({ metadata }) => !metadata.deletionTimestamp).map(({ metadata }) => metadata.name);
};

describe('the work on a MachinePool', () => {
  it('begins when all that it needs is there, and makes the pool the owner of it', async () => {
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

  it('does not begin twice at once', async () => {
    await w.begin();
    expect(await w.beginOf({ ...w.input, holder: 'pool/other' })).toMatchObject({ proceed: false });
  });

  it('does not begin for a second pool that refers to the same objects', async () => {
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

  it('makes bootstrap data of a worker, whatever labels the template has', async () => {
    await w.begin();
    await w.bootstrap();
    const data = Buffer.from((await w.secret())?.data?.value ?? '', 'base64').toString();
    expect(data).toContain('kubeadm join');
    expect(data).not.toContain('BEGIN EC PRIVATE KEY');
    expect((await w.pool())?.spec.template.spec.bootstrap.dataSecretName).toBe('p');
    expect((await w.objects.get(kinds.kubeadmConfig, KEY))?.status).toMatchObject({ dataSecretName: 'p' });
  });

  it('makes other bootstrap data in the next week, and the same within one', async () => {
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

  it('makes and deletes Machines as instances come and go', async () => {
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

  it('records what was reached, and not what was asked for meanwhile', async () => {
    await w.begin();
    const { digest } = await w.bootstrap();
    await w.objects.mutate(kinds.machinePool, KEY, (pool) => ({ ...pool, spec: { ...pool.spec, replicas: 3 } }));
    await w.finish({ digest, outcome: 'done' });
    const infrastructure = await w.infrastructure();
    expect(infrastructure && reconciledDigest(infrastructure)).toBe(digest);
    await w.begin();
    expect((await w.bootstrap()).digest).not.toBe(digest);
  });

  it('records nothing that was not reached', async () => {
    await w.begin();
    const { digest } = await w.bootstrap();
    await w.finish({ digest, outcome: 'failed' });
    const infrastructure = await w.infrastructure();
    expect(infrastructure && reconciledDigest(infrastructure)).toBeUndefined();
    expect(await w.begin()).toMatchObject({ proceed: true });
  });

  it('lets the pool go once its Machines are gone', async () => {
    await w.begin();
    await w.bootstrap();
    await group(['i-1']);
    await w.machines();
    await w.objects.delete(kinds.machinePool, KEY);
    expect(await w.begin()).toMatchObject({ proceed: true, removal: true });
    await w.remove();
    expect(await w.pool()).toBeDefined();
    await w.objects.mutate(kinds.machine, { ...KEY, name: 'p-i-1' }, (machine) => ({
      ...machine,
      metadata: { ...machine.metadata, finalizers: [] },
    }));
    await w.remove();
    for (const kind of [kinds.machinePool, kinds.awsMachinePool, kinds.kubeadmConfig, kinds.secret])
      expect(await w.objects.get(kind as typeof kinds.secret, KEY)).toBeUndefined();
  });

  it('stays without a group where its infrastructure alone is deleted, and gets another with the next', async () => {
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

  it('is not asked to remove the group of another pool, whose infrastructure it refers to', async () => {
    await w.begin();
    const [second] = await Promise.all(poolObjects('second').map(w.put));
    await w.objects.delete(kinds.awsMachinePool, KEY);
    expect(await w.beginOf(w.inputOf(second))).toMatchObject({ proceed: false });
  });
});
