/** For tests: the object steps of a cluster, with objects in memory and a real work table. */
import { readFile } from 'node:fs/promises';
import { parseAllDocuments } from 'yaml';
import { webCryptoKeys } from '../../../shared/bootstrap/certificates/keys.ts';
import type { Clock } from '../../../shared/clock.ts';
import { type Cluster, KINDS, type KubeadmControlPlane, kinds } from '../../../shared/kinds/index.ts';
import { createCatalog } from '../../../shared/kube-api/custom/catalog.ts';
import { withStoredVersions } from '../../../shared/kube-api/custom/stored-versions.ts';
import type { KubeObject } from '../../../shared/kube-api/object.ts';
import { createRegistry } from '../../../shared/kube-api/registry/create-registry.ts';
import { ensureNamespaces } from '../../../shared/kube-api/registry/namespaces.ts';
import type { ObjectClient } from '../../../shared/kube-api/storage/client.ts';
import { createMemoryStorage } from '../../../shared/kube-api/storage/memory-storage.ts';
import { createObjectClient } from '../../../shared/kube-api/storage/object-client.ts';
import type { Storage } from '../../../shared/kube-api/storage/storage.ts';
import { clusterOfCustom, contractKindsOf, outsideKindsOf } from '../../../shared/outside/kinds.ts';
import { systemRandom } from '../../../shared/random.ts';
import { withOutside } from '../../../shared/store/outside-client.ts';
import { createMemoryRecords } from '../../../shared/store/records/memory-records.ts';
import { withMemory } from '../../../shared/store/records/remembering-client.ts';
import { type TestDatabase, testClock } from '../../../shared/store/test-table.ts';
import { createMemoryPledges } from '../../../shared/store/work/memory-pledges.ts';
import { createWorkStore } from '../../../shared/store/work/work-store.ts';
import type { ConvergeInput, MachineRef, PoolRef } from '../../../shared/work/payloads.ts';
import type { RancherDependencies } from '../rancher/dependencies.ts';
import { makeObjectsSteps } from './steps.ts';

export const ENDPOINT = { host: 'api.example.com', port: 6443 };

/** The example, with keys that can be generated quickly. */
export const quickstart = async (): Promise<KubeObject[]> =>
  parseAllDocuments(await readFile('examples/quickstart.yaml', 'utf8')).map((document) => {
    const object = document.toJS() as KubeObject;
    if (object.kind === 'KubeadmControlPlane') {
      const { kubeadmConfigSpec: config } = (object as KubeadmControlPlane).spec;
      if (config) config.clusterConfiguration = { ...config.clusterConfiguration, encryptionAlgorithm: 'ECDSA-P256' };
    }
    return { ...object, metadata: { ...object.metadata, namespace: 'default' } };
  });

/** `around` may wrap the storage of the objects; `more` are additional dependencies of the steps. */
export const makeWorld = async (
  table: TestDatabase,
  around = (storage: Storage, _clock: Clock): Storage => storage,
  more: Partial<RancherDependencies> = {},
) => {
  const clock = testClock('2026-01-01T00:00:00Z');
  const storage = withStoredVersions(around(createMemoryStorage(), clock));
  const catalog = createCatalog(storage, { clusterNameOf: clusterOfCustom });
  const registry = createRegistry({ resources: KINDS, storage, clock, random: systemRandom });
  await ensureNamespaces(registry);
  const objects = withMemory(withOutside(createObjectClient(registry), catalog), createMemoryRecords());
  const started = {
    converge: [] as number[],
    provision: [] as MachineRef[],
    remove: [] as MachineRef[],
    pool: [] as PoolRef[],
  };
  const contractKinds = contractKindsOf(() => catalog.current());
  const work = createWorkStore({ client: table.client, table: await table.makeTable(), clock });
  const steps = makeObjectsSteps({
    pledges: createMemoryPledges({ clock }),
    ...more,
    outsideKinds: outsideKindsOf(() => catalog.current()),
    contractKinds,
    objects,
    work,
    clock,
    random: systemRandom,
    keys: webCryptoKeys,
    touch: async (cluster) => void (await work.touch(cluster)),
    executions: {
      startConverge: async (_cluster, wanted) => started.converge.push(wanted) > 0,
      startProvision: async (machine) => void started.provision.push(machine),
      startRemove: async (machine) => void started.remove.push(machine),
      startPool: async (pool) => void started.pool.push(pool),
    },
  });
  const apply = async (object: KubeObject) => {
    const resource = KINDS.find(({ kind }) => kind === object.kind);
    if (!resource) throw new Error(object.kind);
    return (await objects.ensure(resource, object)).object;
  };
  const inputOf = (cluster: KubeObject, wanted: number): ConvergeInput => {
    const ref = { namespace: 'default', name: cluster.metadata.name, uid: cluster.metadata.uid ?? '' };
    return { cluster: ref, wanted, holder: `${ref.uid}-${wanted}`, checked: true };
  };
  return { objects, contractKinds, steps, work, clock, started, apply, inputOf };
};

export type World = Awaited<ReturnType<typeof makeWorld>>;

export const context = { log: { info() {}, warn() {}, error() {}, with: () => context.log } } as never as Parameters<
  World['steps']['begin']
>[1];

/** Writes the results of the network and load balancer steps. */
export const makeInfrastructureReady = (objects: ObjectClient, name = 'quickstart') =>
  objects.mutate(kinds.awsCluster, { namespace: 'default', name }, (current) => ({
    ...current,
    spec: { ...current.spec, controlPlaneEndpoint: ENDPOINT },
    status: {
      ...current.status,
      ready: true,
      failureDomains: { a: { controlPlane: true }, b: { controlPlane: true }, c: { controlPlane: true } },
    },
  }));

/** Applies the objects of a cluster, by default the example's. Returns it with the input of its first pass. */
export const applyCluster = async (w: World, wanted?: readonly KubeObject[]) => {
  const made = await Promise.all((wanted ?? (await quickstart())).map(w.apply));
  const cluster = made.find(({ kind }) => kind === 'Cluster') as Cluster | undefined;
  if (!cluster) throw new Error('there is no Cluster among the objects');
  return { cluster, input: w.inputOf(cluster, 1) };
};

/** Applies the objects, begins the first pass, and makes the infrastructure ready. */
export const beginCluster = async (w: World, wanted?: readonly KubeObject[]): Promise<ConvergeInput> => {
  const { cluster, input } = await applyCluster(w, wanted);
  await w.steps.begin(input, context);
  await makeInfrastructureReady(w.objects, cluster.metadata.name);
  return input;
};

export const pass = async ({ steps }: World, input: ConvergeInput) => {
  const { changes } = await steps.certificates(input, context);
  await steps.controlPlane({ ...input, checked: changes }, context);
  await steps.workers(input, context);
  await steps.launch(input, context);
  await steps.report(input, context);
  return steps.finish(input, context);
};

export const conditionOf = (
  object: { status?: { conditions?: { type: string; status: string; message: string }[] } } | undefined,
  type: string,
) => object?.status?.conditions?.find((found) => found.type === type);
