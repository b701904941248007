/** A fleet in memory for the tests of the sweep: six machines of the cluster `red` in the region `here`. */
import type { Clock } from '../../shared/clock.ts';
import { type AWSCluster, type AWSMachine, type Cluster, kinds, type Machine } from '../../shared/kinds/index.ts';
import { ON_DRIFT } from '../../shared/kinds/rules/drift-policy.ts';
import { createMemoryOwnerIndex, type OwnerIndex } from '../../shared/kube-api/garbage/owner-index.ts';
import { ensureNamespaces } from '../../shared/kube-api/registry/namespaces.ts';
import type { Registry } from '../../shared/kube-api/registry/registry.ts';
import type { ObjectClient } from '../../shared/kube-api/storage/client.ts';
import { createMemoryStorage } from '../../shared/kube-api/storage/memory-storage.ts';
import { createObjectClient } from '../../shared/kube-api/storage/object-client.ts';
import type { Storage } from '../../shared/kube-api/storage/storage.ts';
import { silentLog } from '../../shared/log.ts';
import { withObservation } from '../../shared/plan/machines/status.ts';
import type { ListedInstance } from '../../shared/providers/aws/plan/drift/difference.ts';
import type { ScheduledEvent } from '../../shared/providers/aws/plan/drift/maintenance.ts';
import { observed } from '../../shared/providers/aws/plan/instance-facts.ts';
import { withInstance } from '../../shared/providers/aws/plan/launch/instance.ts';
import { instanceTags } from '../../shared/providers/aws/plan/launch/request.ts';
import { ownershipTag } from '../../shared/providers/aws/tags.ts';
import { systemRandom } from '../../shared/random.ts';
import { createMemoryRecords } from '../../shared/store/records/memory-records.ts';
import { withMemory } from '../../shared/store/records/remembering-client.ts';
import { createMemoryPledges } from '../../shared/store/work/memory-pledges.ts';
import type { PledgeStore } from '../../shared/store/work/pledges.ts';
import type { ClusterRef } from '../../shared/work/payloads.ts';
import { createControllersRegistry } from '../controllers-registry.ts';
import { controllerScopeOf } from '../providers/aws/aws-scope.ts';
import type { AwsSweepDependencies } from '../providers/aws/drift/dependencies.ts';
import { makeSweepPort } from '../providers/aws/drift/sweep.ts';
import type { ByProvider } from '../providers/ports.ts';
import type { SweepPort } from '../providers/sweep-port.ts';
import type { DriftDependencies } from './dependencies.ts';
import { resultOf, type Sweep, type SweepResult, sweep } from './sweep.ts';

export const NAMESPACE = 'default';
const INFRASTRUCTURE = 'infrastructure.cluster.x-k8s.io';

/** The dependencies of the sweep and of its AWS part. */
export type FleetDependencies = Omit<DriftDependencies, 'providers'> & AwsSweepDependencies;

export interface TestFleet {
  objects: ObjectClient;
  /** The instances that EC2 lists, by region and id; a region without an entry does not answer. */
  regions: Map<string, Map<string, ListedInstance>>;
  scheduled: Map<string, ScheduledEvent[]>;
  due: ClusterRef[];
  /** The number of touches of each due cluster since its last pass began. */
  unbegun: number;
  touched: string[];
  /** Names of clusters for which no pass can be started. */
  refused: Set<string>;
  /** Calls that the sweep made by itself, such as `start i-red-0`. */
  calls: string[];
  listed(region: string): Map<string, ListedInstance>;
  /** Changes what EC2 lists for an instance in the region `here`. */
  alter(instanceId: string, change: Partial<ListedInstance>): void;
  pledges: PledgeStore;
  setTime(time: string): void;
  setPolicy(policies: string): Promise<void>;
  addCluster(name: string, region: string, namespace?: string): Promise<ClusterRef>;
  /** The names of these machines and of their instances begin with the namespace, unless it is the default one. */
  addMachines(clusterName: string, region: string, count: number, namespace?: string): Promise<void>;
  machine(name: string): Promise<Machine | undefined>;
  warnings(): Promise<string[]>;
  /** One sweep. `around` may replace dependencies, and `others` adds the clouds of other providers. */
  sweep(
    around?: (dependencies: FleetDependencies) => FleetDependencies,
    others?: ByProvider<SweepPort>,
  ): Promise<Sweep>;
  /** Like `sweep`, but throws the first fault. */
  run(...how: Parameters<TestFleet['sweep']>): Promise<SweepResult>;
}

const writeCluster = async (
  objects: ObjectClient,
  name: string,
  region: string,
  namespace: string,
): Promise<ClusterRef> => {
  const metadata = { namespace, name };
  const reference = { apiGroup: INFRASTRUCTURE, kind: 'AWSCluster', name };
  const { object } = await objects.ensure(kinds.cluster, {
    apiVersion: 'cluster.x-k8s.io/v1beta2',
    kind: 'Cluster',
    metadata,
    spec: { infrastructureRef: reference },
  } as Cluster);
  await objects.ensure(kinds.awsCluster, {
    apiVersion: `${INFRASTRUCTURE}/v1beta2`,
    kind: 'AWSCluster',
    metadata,
    spec: { region },
  } as AWSCluster);
  return { namespace, name, uid: object.metadata.uid ?? '' };
};

/** A machine whose instance was seen running, and the instance as EC2 lists it. */
const writeMachine = async (
  objects: ObjectClient,
  { namespace, name: clusterName }: { namespace: string; name: string },
  name: string,
  now: Date,
): Promise<ListedInstance> => {
  const metadata = { namespace, name };
  const instance = {
    InstanceId: `i-${name}`,
    State: { Name: 'running' },
    Placement: { AvailabilityZone: 'a' },
  } as const;
  await objects.ensure(kinds.awsMachine, {
    apiVersion: `${INFRASTRUCTURE}/v1beta2`,
    kind: 'AWSMachine',
    metadata,
    spec: { instanceType: 't3.large' },
  } as AWSMachine);
  const infrastructure = (await objects.mutate(kinds.awsMachine, metadata, (current) =>
    withInstance(current, instance, now),
  )) as AWSMachine;
  await objects.ensure(kinds.machine, {
    apiVersion: 'cluster.x-k8s.io/v1beta2',
    kind: 'Machine',
    metadata,
    spec: {
      clusterName,
      bootstrap: { dataSecretName: name },
      infrastructureRef: { apiGroup: INFRASTRUCTURE, kind: 'AWSMachine', name },
    },
  } as Machine);
  const machine = (await objects.mutate(kinds.machine, metadata, (current) =>
    withObservation(current, observed(infrastructure), now),
  )) as Machine;
  const cluster = { namespace, name: clusterName };
  const awsCluster = (await objects.get(kinds.awsCluster, cluster)) as AWSCluster;
  const tags = instanceTags({ cluster, machine, infrastructure, awsCluster });
  return { state: 'running', type: 't3.large', tags, launchedAt: now.toISOString() };
};

/** Lists as EC2 does with filters. */
const ofClusters = (
  listed: Map<string, ListedInstance>,
  clusters: readonly string[],
  ids: readonly string[],
): Map<string, ListedInstance> => {
  const keys = clusters.map(ownershipTag);
  return new Map([...listed].filter(([id, { tags }]) => ids.includes(id) || keys.some((key) => key in tags)));
};

/** The dependencies of a sweep over `fleet`; its own calls are noted. */
const dependenciesOf = (fleet: TestFleet, registry: Registry, clock: Clock): FleetDependencies => ({
  objects: fleet.objects,
  records: createMemoryRecords(),
  work: {
    due: async () => fleet.due.map((cluster) => ({ cluster, wanted: 1, done: 0, attempts: 0, unbegun: fleet.unbegun })),
  },
  touch: async ({ name }) => {
    if (fleet.refused.has(name)) throw new Error(`no execution for ${name}`);
    fleet.touched.push(name);
  },
  pledges: fleet.pledges,
  affected: async () => [],
  scopeOf: controllerScopeOf,
  fleet: ({ region }) => ({
    describeInstances: async () => fleet.listed(region ?? ''),
    describeInstancesOf: async (clusters, ids) => ofClusters(fleet.listed(region ?? ''), clusters, ids),
    scheduledEvents: async () => fleet.scheduled,
  }),
  repairs: () => ({
    start: async (id) => void fleet.calls.push(`start ${id}`),
    createTags: async (ids, tags) => void fleet.calls.push(`tag ${ids.join('+')} ${Object.keys(tags).join()}`),
    deleteTags: async (ids, keys) => void fleet.calls.push(`untag ${ids.join('+')} ${keys.join()}`),
    securityGroups: async (filters) => filters.flatMap(({ values }) => values.map((value) => `sg-${value}`)),
    terminate: async (id) => void fleet.calls.push(`terminate ${id}`),
    ownersOf: async () => new Map(),
    setGroups: async (id, groups) => void fleet.calls.push(`groups ${id} ${groups.join()}`),
    setMetadataOptions: async (id) => void fleet.calls.push(`metadata ${id}`),
  }),
  secrets: () => {
    throw new Error('every machine of the fleet has its node');
  },
  bootstrapSecrets: () => {
    throw new Error('no machine of the fleet has late secrets');
  },
  bootstrapObjects: () => {
    throw new Error('no machine of the fleet has a late object');
  },
  // No cluster of this fleet has an infrastructure that was ever complete; the tests in test/drift have such clusters.
  network: () => {
    throw new Error('there is no network to be looked at');
  },
  images: () => {
    throw new Error('no instance of the fleet has an image');
  },
  pools: () => ({ groups: async () => [], templates: async () => [], hooks: async () => [], subnets: async () => [] }),
  balancing: () => {
    throw new Error('there is no load balancer to be looked at');
  },
  connect: async () => {
    throw new Error('there is no cluster to be asked');
  },
  shard: { index: 0, of: 1 },
  sweepMinutes: 5,
  collectGarbage: registry.collectGarbage,
  clock,
  log: silentLog,
});

export interface FleetOptions {
  storage?: Storage;
  index?: OwnerIndex;
}

const createRegistryInMemory = (
  clock: Clock,
  { storage = createMemoryStorage(), index = createMemoryOwnerIndex() }: FleetOptions,
): Registry => createControllersRegistry({ storage, clock, random: systemRandom, ownership: { index } });

/** A fleet that was created an hour ago. */
export const createTestFleet = async (options: FleetOptions = {}): Promise<TestFleet> => {
  let now = new Date('2026-11-20T12:00:00Z');
  const clock: Clock = { now: () => now, sleep: async () => {} };
  const registry = createRegistryInMemory(clock, options);
  await ensureNamespaces(registry);
  const objects = withMemory(createObjectClient(registry), createMemoryRecords());
  const fleet: TestFleet = {
    objects,
    regions: new Map([
      ['here', new Map()],
      ['there', new Map()],
    ]),
    scheduled: new Map(),
    pledges: createMemoryPledges({ clock }),
    due: [],
    unbegun: 1,
    touched: [],
    refused: new Set(),
    calls: [],
    listed: (region) => {
      const known = fleet.regions.get(region);
      if (!known) throw new Error(`no answer from ${region}`);
      return known;
    },
    alter: (id, change) => {
      const known = fleet.listed('here').get(id);
      if (!known) throw new Error(`there is no instance ${id}`);
      fleet.listed('here').set(id, { ...known, ...change });
    },
    setTime: (time) => {
      now = new Date(time);
    },
    setPolicy: async (policies) => {
      const annotations = { [ON_DRIFT]: policies };
      await objects.mutate(kinds.cluster, { namespace: NAMESPACE, name: 'red' }, (cluster) => ({
        ...cluster,
        metadata: { ...cluster.metadata, annotations },
      }));
    },
    addCluster: (name, region, namespace = NAMESPACE) => writeCluster(objects, name, region, namespace),
    addMachines: async (clusterName, region, count, namespace = NAMESPACE) => {
      for (let index = 0; index < count; index += 1) {
        const name = `${namespace === NAMESPACE ? '' : `${namespace}-`}${clusterName}-${index}`;
        const cluster = { namespace, name: clusterName };
        fleet.listed(region).set(`i-${name}`, await writeMachine(objects, cluster, name, now));
      }
    },
    machine: (name) => objects.get(kinds.machine, { namespace: NAMESPACE, name }),
    warnings: async () =>
      (await objects.list(kinds.event, NAMESPACE))
        .filter(({ type }) => type === 'Warning')
        .map(({ reason }) => reason ?? ''),
    run: async (...how) => resultOf(await fleet.sweep(...how)),
    sweep: (around = (same) => same, others = {}) => {
      const dependencies = around(dependenciesOf(fleet, registry, clock));
      return sweep({ ...dependencies, providers: { aws: makeSweepPort(dependencies), ...others } });
    },
  };
  await fleet.addCluster('red', 'here');
  await fleet.addMachines('red', 'here', 6);
  fleet.setTime('2026-11-20T13:00:00Z');
  return fleet;
};
