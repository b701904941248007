/**
 * For tests: the management API in memory with the cluster of the quickstart, whose objects are managed by the real
 * steps of a pass. Instances and nodes come up immediately: a requested machine exists after the pass.
 */
import { webCryptoKeys } from '../../shared/bootstrap/certificates/keys.ts';
import type { Clock } from '../../shared/clock.ts';
import { type AWSCluster, type Cluster, KINDS, kinds, type Machine } from '../../shared/kinds/index.ts';
import { createMemoryOwnerIndex } from '../../shared/kube-api/garbage/owner-index.ts';
import type { KubeObject } from '../../shared/kube-api/object.ts';
import { createRegistry } from '../../shared/kube-api/registry/create-registry.ts';
import { ensureNamespaces } from '../../shared/kube-api/registry/namespaces.ts';
import { createMemoryStorage } from '../../shared/kube-api/storage/memory-storage.ts';
import { createObjectClient } from '../../shared/kube-api/storage/object-client.ts';
import type { Storage } from '../../shared/kube-api/storage/storage.ts';
import { silentLog } from '../../shared/log.ts';
import { joinConfigurationClaim } from '../../shared/plan/control-plane/upgrade-tasks.ts';
import { withUsedPlace } from '../../shared/plan/memory/used-places.ts';
import { withConditions } from '../../shared/plan/status/conditions.ts';
import { createMemoryRecords } from '../../shared/store/records/memory-records.ts';
import { withMemory } from '../../shared/store/records/remembering-client.ts';
import { testClock } from '../../shared/store/test-table.ts';
import { createMemoryPledges } from '../../shared/store/work/memory-pledges.ts';
import { createApi } from '../api/app.ts';
import { controlPlane } from '../cluster/objects/control-plane/control-plane.ts';
import type { ObjectsDependencies } from '../cluster/objects/dependencies.ts';
import { report } from '../cluster/objects/report.ts';
import { quickstart } from '../cluster/objects/test-world.ts';
import { workers } from '../cluster/objects/workers/workers.ts';

export const CORE = '/apis/cluster.x-k8s.io/v1beta2/namespaces/default';
export const CONTROL = '/apis/controlplane.cluster.x-k8s.io/v1beta2/namespaces/default';
export const INFRASTRUCTURE = '/apis/infrastructure.cluster.x-k8s.io/v1beta2/namespaces/default';
const ADMIN = { name: 'admin', groups: ['system:masters', 'system:authenticated'] };
const KEY = (name: string) => ({ namespace: 'default', name });

/** The actions of the steps in one pass: names of the machines that they created and deleted. */
export interface Carried {
  made: string[];
  gone: string[];
}

const NOBODY: ObjectsDependencies['work'] = { extend: async () => true } as never;
const CONDITIONS = ['Available', 'Ready', 'NodeHealthy', 'NodeReady', 'BootstrapConfigReady', 'InfrastructureReady'];

export const makeTestCluster = async (
  change: (object: KubeObject) => KubeObject = (object) => object,
  wrap: (storage: Storage, clock: Clock) => Storage = (storage) => storage,
) => {
  const clock = testClock('2026-01-01T00:00:00Z');
  let uids = 0;
  const random = {
    bytes: (length: number) => new Uint8Array(length).fill(7),
    uuid: () => `00000000-0000-4000-8000-${String(++uids).padStart(12, '0')}`,
  };
  const storage = wrap(createMemoryStorage(), clock);
  const registry = createRegistry({ resources: KINDS, storage, clock, random });
  await ensureNamespaces(registry);
  const records = createMemoryRecords();
  const objects = withMemory(createObjectClient(registry), records);
  const fetch = createApi({
    kinds: KINDS,
    storage,
    records,
    owners: createMemoryOwnerIndex(),
    touch: async () => {},
    pledges: createMemoryPledges({ clock }),
    clock,
    random,
    log: silentLog,
  });
  const executions = NOBODY as never;
  const deps: ObjectsDependencies = {
    objects,
    clock,
    random,
    keys: webCryptoKeys,
    work: NOBODY,
    executions,
    touch: async () => {},
  };

  const machines = () => objects.listOfCluster(kinds.machine, 'default', 'quickstart');

  const removeObject = async (machine: Machine): Promise<void> => {
    await objects.mutate(kinds.awsCluster, KEY('quickstart'), (current) => withUsedPlace(current, machine));
    for (const resource of [kinds.awsMachine, kinds.kubeadmConfig, kinds.machine]) {
      await objects.delete<KubeObject>(resource, KEY(machine.metadata.name));
      await objects.mutate<KubeObject>(resource, KEY(machine.metadata.name), (found) => ({
        ...found,
        metadata: { ...found.metadata, finalizers: [] },
      }));
    }
  };

  const come = async (machine: Machine): Promise<void> => {
    const { name } = machine.metadata;
    const types = [...CONDITIONS, ...(machine.spec.readinessGates ?? []).map(({ conditionType }) => conditionType)];
    const lastTransitionTime = '2026-01-01T00:00:00Z';
    const condition = (type: string) => ({ type, status: 'True', reason: 'Test', message: '', lastTransitionTime });
    const status = { nodeRef: { name }, phase: 'Running', conditions: [...new Set(types)].map(condition) };
    await objects.mutate(kinds.machine, KEY(name), (found) => ({ ...found, status: status as Machine['status'] }));
    await objects.mutate(kinds.awsMachine, KEY(name), (found) => ({
      ...found,
      spec: { ...found.spec, instanceID: found.spec.instanceID ?? `i-${name.slice(-5)}` },
    }));
  };

  /** Templates whose machines never come up. */
  const neverJoining = new Set<string>();
  const neverJoins = async ({ metadata: { name } }: Machine): Promise<boolean> => {
    const infrastructure = await objects.get(kinds.awsMachine, KEY(name));
    return neverJoining.has(infrastructure?.metadata.annotations?.['cluster.x-k8s.io/cloned-from-name'] ?? '');
  };

  /** All requested changes have happened. */
  const settle = async (): Promise<void> => {
    for (const machine of await machines()) {
      if (machine.metadata.deletionTimestamp) await removeObject(machine);
      else if (!machine.status?.nodeRef && !(await neverJoins(machine))) await come(machine);
    }
    await objects.mutate(kinds.kubeadmControlPlane, KEY('quickstart-control-plane'), (owner) => ({
      ...owner,
      status: {
        ...owner.status,
        initialization: { controlPlaneInitialized: true },
        conditions: withConditions(owner.status?.conditions, [joinConfigurationClaim(owner)], 1, clock.now()),
      },
    }));
    clock.advance(60);
  };

  const pass = async (): Promise<Carried> => {
    const cluster = (await objects.get(kinds.cluster, KEY('quickstart'))) as Cluster;
    const ref = { ...KEY('quickstart'), uid: cluster.metadata.uid ?? '' };
    const names = async () => (await machines()).map(({ metadata }) => metadata.name);
    const live = async () =>
      (await machines()).filter(({ metadata }) => !metadata.deletionTimestamp).map(({ metadata }) => metadata.name);
    const before = await names();
    const input = { cluster: ref, wanted: 1, holder: 'test' };
    await controlPlane(deps)({ ...input, checked: true });
    await workers(deps)(input);
    const after = await live();
    await settle();
    await report(deps)(input);
    return {
      made: after.filter((name) => !before.includes(name)).sort(),
      gone: before.filter((name) => !after.includes(name)).sort(),
    };
  };

  /** Runs passes until nothing is created or deleted any more; returns those that did something. */
  const carryOut = async (): Promise<Carried[]> => {
    const done: Carried[] = [];
    for (let idle = 0; idle < 3; ) {
      const one = await pass();
      const isIdle = one.made.length + one.gone.length === 0;
      idle = isIdle ? idle + 1 : 0;
      if (!isIdle) done.push(one);
    }
    return done;
  };

  const send = async (method: string, path: string, body?: object, user = ADMIN) => {
    const type = method === 'PATCH' ? 'application/merge-patch+json' : 'application/json';
    const content = body === undefined ? {} : { body: JSON.stringify(body) };
    const response = await fetch(
      new Request(`https://api${path}`, { method, headers: { 'content-type': type }, ...content }),
      user,
    );
    const warnings = [...(response.headers.get('warning') ?? '').matchAll(/299 - "((?:[^"\\]|\\.)*)"/g)].map(
      ([, text = '']) => text.replaceAll('\\"', '"'),
    );
    // The answer for a path without a resource is plain text, as with kube-apiserver.
    const text = await response.text();
    // biome-ignore lint/suspicious/noExplicitAny: the answers of all endpoints, whose shape is what the tests assert.
    return { code: response.status, body: (text.startsWith('{') ? JSON.parse(text) : text) as any, warnings };
  };

  for (const object of (await quickstart()).map(change)) {
    const resource = KINDS.find(({ kind }) => kind === object.kind);
    if (!resource) throw new Error(object.kind);
    await objects.ensure(resource, object);
  }
  await objects.mutate(
    kinds.awsCluster,
    KEY('quickstart'),
    (current): AWSCluster => ({
      ...current,
      spec: {
        ...current.spec,
        controlPlaneEndpoint: { host: 'quickstart.example.com', port: 6443 },
        network: { ...current.spec.network, vpc: { ...current.spec.network?.vpc, id: 'vpc-1' } },
      },
      status: {
        ...current.status,
        ready: true,
        failureDomains: { a: { controlPlane: true }, b: { controlPlane: true }, c: { controlPlane: true } },
      },
    }),
  );
  await objects.mutate(kinds.cluster, KEY('quickstart'), (current) => ({
    ...current,
    metadata: { ...current.metadata, finalizers: ['cluster.cluster.x-k8s.io'] },
  }));
  await carryOut();
  return { fetch, objects, neverJoining, send, pass, carryOut, settle, machines, clock };
};

export type TestCluster = Awaited<ReturnType<typeof makeTestCluster>>;
