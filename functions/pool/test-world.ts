/**
 * For tests: the steps of a MachinePool over objects in memory and a real work table, and the removal of its groups from
 * an Auto Scaling in which groups only exist.
 */
import { afterAll, beforeAll } from 'vitest';
import {
  type ClusterCertificates,
  generateClusterCertificates,
} from '../../shared/bootstrap/certificates/authority.ts';
import { webCryptoKeys } from '../../shared/bootstrap/certificates/keys.ts';
import { type AWSMachinePool, kinds, type Secret } from '../../shared/kinds/index.ts';
import type { KubeObject } from '../../shared/kube-api/object.ts';
import { withQuotas } from '../../shared/kube-api/quota/quota-storage.ts';
import { silentLog } from '../../shared/log.ts';
import type { ObservedGroup } from '../../shared/providers/aws/machine-pool/model.ts';
import { groupNameOf, poolTagOf } from '../../shared/providers/aws/machine-pool/name.ts';
import { ownershipTag, POOL_TAG } from '../../shared/providers/aws/tags.ts';
import { systemRandom } from '../../shared/random.ts';
import { createQuotaUsage } from '../../shared/store/limits/quota-usage.ts';
import { startTestDatabase, type TestDatabase, testClock } from '../../shared/store/test-table.ts';
import { createWorkStore } from '../../shared/store/work/work-store.ts';
import type { PoolInput } from '../../shared/work/payloads.ts';
import { makeClusterObjects } from '../machine/objects/test-objects.ts';
import { controllerScopeOf } from '../providers/aws/aws-scope.ts';
import type { ScopedPoolDependencies } from '../providers/aws/machine-pool/dependencies.ts';
import { makePoolGroupSteps } from '../providers/aws/machine-pool/steps.ts';
import { makePoolObjectsSteps } from './steps.ts';

export const KEY = { namespace: 'default', name: 'p' };
export const LABELS = { 'cluster.x-k8s.io/cluster-name': 'red' };
const BOOTSTRAP = { apiGroup: 'bootstrap.cluster.x-k8s.io', name: 'p' };
const INFRASTRUCTURE = { apiGroup: 'infrastructure.cluster.x-k8s.io', kind: 'AWSMachinePool', name: 'p' };

/** A pool; `bootstrap` is the kind of its configuration. */
export const poolObjects = (name = 'p', bootstrap = 'KubeadmConfig'): KubeObject[] => [
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
          version: bootstrap === 'RKE2Config' ? 'v1.34.2+rke2r1' : 'v1.34.0',
          bootstrap: { configRef: { ...BOOTSTRAP, kind: bootstrap } },
          infrastructureRef: INFRASTRUCTURE,
        },
      },
    },
  } as KubeObject,
];

/** Differences from a kubeadm pool whose data is for cloud-init. */
export interface PoolWishes {
  config?: { kind: 'KubeadmConfig' | 'RKE2Config'; spec?: object };
  /** The spec of the AWSMachinePool. */
  infrastructure?: object;
  /** Further objects, such as a control plane and its Secrets. */
  objects?: readonly KubeObject[];
  /** Limits of a ResourceQuota in its namespace. */
  hard?: Readonly<Record<string, string>>;
}

/** Groups by the name of their AWSMachinePool. */
const makeGroups = () => {
  const live = new Map<string, ObservedGroup>();
  const calls = {
    groups: {
      describe: async (names: readonly string[]) => [...live.values()].filter(({ name }) => names.includes(name)),
      remove: async (name: string) => {
        for (const [of, group] of live) if (group.name === name) live.delete(of);
      },
    },
    templates: { describe: async () => [] },
  };
  return {
    names: () => [...live.keys()],
    add: (pool: AWSMachinePool): void => {
      const tags = { [ownershipTag('red')]: 'owned', [POOL_TAG]: poolTagOf(pool) };
      live.set(pool.metadata.name, { name: groupNameOf(pool), tags, instances: [] } as Partial<ObservedGroup> as never);
    },
    /** The provider's step, repeated until it has nothing to wait for. */
    removeWith: (common: Pick<ScopedPoolDependencies, 'objects' | 'work' | 'clock'>) => async (input: PoolInput) => {
      const others = { instanceProfiles: [], scopeOf: controllerScopeOf, pools: () => calls as never };
      const steps = makePoolGroupSteps({ ...common, ...others });
      for (let looks = 0; looks < 3; looks += 1)
        if ((await steps.removePool(input, { log: silentLog })).progress === 'done') return;
      throw new Error('the group is still there');
    },
  };
};

const makePoolWorld = async (
  database: TestDatabase,
  certificates: ClusterCertificates,
  { config = { kind: 'KubeadmConfig' }, infrastructure = {}, objects: further = [], hard }: PoolWishes = {},
) => {
  const clock = testClock('2026-01-01T00:00:00Z');
  const counts = hard && (await database.makeTable());
  const { objects, put, cluster } = await makeClusterObjects(clock, certificates, (storage) => {
    if (!counts) return storage;
    const usage = createQuotaUsage({ client: database.client, table: counts, clock });
    return withQuotas(storage, { usage, clock, onFailure: (error) => silentLog.error(String(error)) });
  });
  const head = { apiVersion: 'v1', kind: 'ResourceQuota', metadata: { name: 'small', namespace: 'default' } };
  if (hard) await put({ ...head, spec: { hard } } as KubeObject);
  const work = createWorkStore({ client: database.client, table: await database.makeTable(), clock });
  const touched: string[] = [];
  const steps = makePoolObjectsSteps({ objects, work, clock, touch: async ({ name }) => void touched.push(name) });
  const groups = makeGroups();
  const removePool = groups.removeWith({ objects, work, clock });
  for (const object of further) await put(object);
  const [pool] = await Promise.all(poolObjects('p', config.kind).map(put));
  await put({ apiVersion: 'bootstrap.cluster.x-k8s.io/v1beta2', ...config, metadata: KEY } as KubeObject);
  await put({
    apiVersion: 'infrastructure.cluster.x-k8s.io/v1beta2',
    kind: 'AWSMachinePool',
    metadata: KEY,
    spec: { minSize: 1, maxSize: 3, awsLaunchTemplate: { instanceType: 't3.large' }, ...infrastructure },
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
    ...{ objects, clock, touched, put, input, inputOf, removePool },
    /** Creates the group of an AWSMachinePool. */
    addGroup: (pool: AWSMachinePool) => groups.add(pool),
    /** The names of the existing groups. */
    groups: groups.names,
    begin: () => steps.beginPool(input, context),
    beginOf: (other: PoolInput) => steps.beginPool(other, context),
    bootstrap: () => steps.poolBootstrap(input, context),
    machines: () => steps.poolMachines(input, context),
    finish: (more: Partial<PoolInput>) => steps.finishPool({ ...input, ...more }, context),
    finishRemoval: (of: PoolInput = input) => steps.finishPoolRemoval({ ...of, outcome: 'done' }, context),
    /** One execution that removes a group. */
    remove: async (of: PoolInput = input) => {
      const { removal } = await steps.beginPool(of, context);
      if (!removal) throw new Error('nothing is to be removed');
      await removePool(of);
      await steps.finishPoolRemoval({ ...of, outcome: 'done' }, context);
    },
    pool: () => objects.get(kinds.machinePool, KEY),
    infrastructure: () => objects.get(kinds.awsMachinePool, KEY),
    secret: () => objects.get(kinds.secret, KEY) as Promise<Secret | undefined>,
  };
};

export type PoolWorld = Awaited<ReturnType<typeof makePoolWorld>>;

/** Writes what the provider would write if the group had these instances. */
export const putInstances = async (w: PoolWorld, ids: readonly string[]): Promise<void> => {
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

/** Creates worlds over one database and the certificate authorities of one cluster, for the tests of a file. */
export const usePoolWorlds = (): ((wishes?: PoolWishes) => Promise<PoolWorld>) & {
  certificates(): ClusterCertificates;
} => {
  let database: TestDatabase;
  let certificates: ClusterCertificates;
  beforeAll(async () => {
    database = await startTestDatabase();
    const dependencies = { clock: testClock('2026-01-01T00:00:00Z'), random: systemRandom, keys: webCryptoKeys };
    certificates = await generateClusterCertificates({ ...dependencies, algorithm: 'ECDSA-P256' });
  });
  afterAll(() => database.stop());
  const make = (wishes?: PoolWishes) => makePoolWorld(database, certificates, wishes);
  return Object.assign(make, { certificates: () => certificates });
};
