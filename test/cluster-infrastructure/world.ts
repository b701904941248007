/** One cluster's objects in memory and a simulated account, with a clock that advances only when the code sleeps. */
import { setImmediate } from 'node:timers/promises';
import { AutoScalingClient } from '@aws-sdk/client-auto-scaling';
import { EC2Client } from '@aws-sdk/client-ec2';
import { ElasticLoadBalancingClient } from '@aws-sdk/client-elastic-load-balancing';
import { ElasticLoadBalancingV2Client } from '@aws-sdk/client-elastic-load-balancing-v2';
import { IAMClient } from '@aws-sdk/client-iam';
import { KMS } from '@aws-sdk/client-kms';
import { ServiceQuotasClient } from '@aws-sdk/client-service-quotas';
import { type Account, type AccountOptions, createAccount } from '../../infra/local/account.ts';
import { type AwsOptions, type SimulatedAws, startAws } from '../../infra/local/aws.ts';
import { createDataPlane } from '../../infra/local/engines/elbv2/data-plane.ts';
import { directTo } from '../../infra/local/engines/wire/direct.ts';
import type { Clock } from '../../shared/clock.ts';
import { type AWSCluster, type Cluster, KINDS, kinds } from '../../shared/kinds/index.ts';
import { createRegistry } from '../../shared/kube-api/registry/create-registry.ts';
import type { ObjectClient } from '../../shared/kube-api/storage/client.ts';
import { createMemoryStorage } from '../../shared/kube-api/storage/memory-storage.ts';
import { createObjectClient } from '../../shared/kube-api/storage/object-client.ts';
import type { Storage } from '../../shared/kube-api/storage/storage.ts';
import { type AccountFacts, createAccountFacts } from '../../shared/providers/aws/api/account-facts.ts';
import { createBalancingCache } from '../../shared/providers/aws/api/balancing-cache.ts';
import { type BalancingGarbage, createBalancingGarbage } from '../../shared/providers/aws/api/balancing-garbage.ts';
import type { Buckets } from '../../shared/providers/aws/api/buckets.ts';
import { connectEc2Addresses, type Ec2Addresses } from '../../shared/providers/aws/api/ec2-addresses.ts';
import { createNetworkCache } from '../../shared/providers/aws/api/network-cache.ts';
import type { PortCache } from '../../shared/providers/aws/api/port-cache.ts';
import { createElbv2, type Elbv2 } from '../../shared/providers/aws/load-balancer/api.ts';
import { type ClassicElb, createClassicElb } from '../../shared/providers/aws/load-balancer/classic/api.ts';
import { createEc2Network, type Ec2Network } from '../../shared/providers/aws/network/api.ts';
import { systemRandom } from '../../shared/random.ts';
import { createMemoryRecords } from '../../shared/store/records/memory-records.ts';
import type { Records } from '../../shared/store/records/records.ts';
import { withMemory } from '../../shared/store/records/remembering-client.ts';
import type { ConvergeInput } from '../../shared/work/payloads.ts';
import { makeMemoryBuckets } from './memory-buckets.ts';

export interface VirtualClock extends Clock {
  advance(seconds: number): void;
}

export const makeVirtualClock = (): VirtualClock => {
  let now = Date.parse('2026-11-20T12:00:00Z');
  return {
    now: () => new Date(now),
    sleep: async (milliseconds) => {
      now += milliseconds;
    },
    advance: (seconds) => {
      now += seconds * 1000;
    },
  };
};

export const NAMESPACE = 'default';
export const KEY = { namespace: NAMESPACE, name: 'red' };

export interface World {
  account: Account;
  /** The endpoint of the account and of those that are reached from it. */
  endpoint: string;
  clock: VirtualClock;
  /** The storage of the objects. */
  storage: Storage;
  /** The objects as controllers see them, with their records. */
  objects: ObjectClient;
  /** The two parts of this view: the objects as they are stored, and the records. */
  stored: ObjectClient;
  records: Records;
  /** The objects as an editor of the namespace sees and writes them. */
  tenant: ObjectClient;
  ec2: Ec2Network;
  /** Queries and changes the account in a region. */
  facts(region?: string): AccountFacts;
  /** A client for changes to the account by others. */
  client: EC2Client;
  /** With the SDK's three attempts for each call, as in the function. */
  addresses: Ec2Addresses;
  elbv2: Elbv2;
  classicElb: ClassicElb;
  garbage: BalancingGarbage;
  /** The caches of the single process in which all steps run. */
  memories: { networkCache: PortCache<Ec2Network>; balancingCache: PortCache<Elbv2> };
  /** Clients for changes to the account by other programs. */
  clients: { ec2: EC2Client; elb: ElasticLoadBalancingClient; elbv2: ElasticLoadBalancingV2Client };
  buckets: Buckets;
  /** DNS names that do not resolve; all others do. `*` stands for all. */
  unknownNames: Set<string>;
  input: ConvergeInput;
  awsCluster(): Promise<AWSCluster>;
  close(): Promise<void>;
}

type Overrides = Partial<AWSCluster['spec']>;

type WorldObjects = Pick<World, 'storage' | 'objects' | 'stored' | 'records' | 'tenant'>;

const newObjects = (clock: Clock): WorldObjects => {
  const storage = createMemoryStorage();
  const registry = createRegistry({ resources: KINDS, storage, clock, random: systemRandom });
  const stored = createObjectClient(registry);
  const records = createMemoryRecords();
  const tenant = createObjectClient(registry, 'kubectl');
  return { storage, objects: withMemory(stored, records), stored, records, tenant };
};

/** A Cluster that is not being deleted, and the input of a pass over it. */
export const createCluster = async (objects: ObjectClient, spec: Overrides): Promise<ConvergeInput> => {
  const namespace = { apiVersion: 'v1', kind: 'Namespace', metadata: { name: KEY.namespace } };
  await objects.ensure(kinds.namespace, namespace);
  const metadata = { ...KEY, finalizers: ['cluster.cluster.x-k8s.io'] };
  const infrastructureRef = { apiGroup: 'infrastructure.cluster.x-k8s.io', kind: 'AWSCluster', name: KEY.name };
  const { object } = await objects.ensure(kinds.cluster, {
    apiVersion: 'cluster.x-k8s.io/v1beta2',
    kind: 'Cluster',
    metadata,
    spec: { infrastructureRef },
  } as Cluster);
  await objects.ensure(kinds.awsCluster, {
    apiVersion: 'infrastructure.cluster.x-k8s.io/v1beta2',
    kind: 'AWSCluster',
    metadata: { ...KEY, finalizers: ['awscluster.infrastructure.cluster.x-k8s.io'] },
    spec: {
      region: 'us-east-1',
      controlPlaneLoadBalancer: { loadBalancerType: 'nlb', healthCheckProtocol: 'HTTPS' },
      ...spec,
    },
  } as AWSCluster);
  const cluster = { ...KEY, uid: object.metadata.uid ?? '' };
  return { cluster, wanted: 1, holder: `${cluster.uid}-1` };
};

/** The dependencies of the steps for one cluster in `objects`, with a simulated account without sockets. */
export const worldOver = (
  base: Pick<World, 'account' | 'clock' | 'input'> & WorldObjects,
  aws: SimulatedAws,
): Omit<World, 'close'> & { destroy(): void } => {
  const { clock, objects, input } = base;
  const credentials = { accessKeyId: 'test', secretAccessKey: 'test' };
  const [endpoint, requestHandler] = [aws.url, directTo(aws.server, setImmediate)];
  const connection = { endpoint, region: 'us-east-1', credentials, requestHandler };
  const options = { ...connection, maxAttempts: 1 };
  const client = new EC2Client(options);
  const elbClient = new ElasticLoadBalancingV2Client(options);
  const classicClient = new ElasticLoadBalancingClient(options);
  const asked = new Map<string, Parameters<typeof createAccountFacts>[0]>();
  const clientsIn = (region: string) => {
    const there = { ...options, region };
    return {
      ec2: new EC2Client(there),
      elbv2: new ElasticLoadBalancingV2Client(there),
      elb: new ElasticLoadBalancingClient(there),
      iam: new IAMClient(there),
      kms: new KMS(there),
      quotas: new ServiceQuotasClient(there),
      autoScaling: new AutoScalingClient(there),
    };
  };
  return {
    ...base,
    endpoint,
    ec2: createEc2Network(client, client),
    facts: (region = options.region) => {
      const there = asked.get(region) ?? clientsIn(region);
      asked.set(region, there);
      return createAccountFacts(there);
    },
    client,
    addresses: connectEc2Addresses(connection),
    elbv2: createElbv2(elbClient),
    classicElb: createClassicElb(classicClient),
    garbage: createBalancingGarbage(classicClient, elbClient),
    clients: { ec2: client, elb: classicClient, elbv2: elbClient },
    memories: { networkCache: createNetworkCache(clock), balancingCache: createBalancingCache(clock) },
    buckets: makeMemoryBuckets(),
    unknownNames: new Set(),
    awsCluster: async () => {
      const found = await objects.get(kinds.awsCluster, input.cluster);
      if (!found) throw new Error('the AWSCluster is gone');
      return found;
    },
    destroy: () => {
      for (const one of [client, elbClient, classicClient]) one.destroy();
    },
  };
};

/** A world whose account is reached over HTTP, with one Cluster that is not being deleted. */
export const startWorld = async (
  spec: Overrides = {},
  settings: AccountOptions['settings'] = {},
  others: Pick<AwsOptions, 'onCall' | 'hasTrail'> = {},
): Promise<World> => {
  const clock = makeVirtualClock();
  const account = createAccount({ clock, random: systemRandom, settings });
  const aws = await startAws({ account, dataPlane: createDataPlane(), bindListeners: false, ...others });
  const views = newObjects(clock);
  const input = await createCluster(views.objects, spec);
  const world = worldOver({ account, clock, ...views, input }, aws);
  return {
    ...world,
    close: async () => {
      world.destroy();
      await aws.close();
    },
  };
};

export { asTask } from '../../infra/local/as-task.ts';
