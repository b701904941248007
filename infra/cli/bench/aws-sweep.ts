/**
 * Counts the calls of a sweep over a complete fleet in which nothing has changed: objects in memory, and networks, load
 * balancers and instances in a simulated account. Nodes are not queried.
 */
import { DescribeImagesCommand, EC2Client, RunInstancesCommand } from '@aws-sdk/client-ec2';
import { ElasticLoadBalancingClient } from '@aws-sdk/client-elastic-load-balancing';
import { ElasticLoadBalancingV2Client } from '@aws-sdk/client-elastic-load-balancing-v2';
import type { DriftDependencies } from '../../../functions/drift/dependencies.ts';
import { observeFleets } from '../../../functions/drift/fleet/observe.ts';
import { infrastructureDrift } from '../../../functions/drift/infrastructure-drift.ts';
import { readNamespaces } from '../../../functions/drift/namespaces.ts';
import { startRun } from '../../../functions/drift/run.ts';
import { controllerScopeOf } from '../../../functions/providers/aws/aws-scope.ts';
import { balancingView, networkView } from '../../../functions/providers/aws/drift/fleet.ts';
import { makeSweepPort } from '../../../functions/providers/aws/drift/sweep.ts';
import type { Clock } from '../../../shared/clock.ts';
import { KINDS, kinds } from '../../../shared/kinds/index.ts';
import { createMemoryOwnerIndex } from '../../../shared/kube-api/garbage/owner-index.ts';
import type { KubeObject } from '../../../shared/kube-api/object.ts';
import { createRegistry } from '../../../shared/kube-api/registry/create-registry.ts';
import { ensureNamespaces } from '../../../shared/kube-api/registry/namespaces.ts';
import { createMemoryStorage } from '../../../shared/kube-api/storage/memory-storage.ts';
import { createObjectClient } from '../../../shared/kube-api/storage/object-client.ts';
import { silentLog } from '../../../shared/log.ts';
import { createEc2Fleet, createEc2Schedule } from '../../../shared/providers/aws/api/ec2-fleet.ts';
import { imageListing } from '../../../shared/providers/aws/api/ec2-image-listing.ts';
import { createEc2Repairs } from '../../../shared/providers/aws/api/ec2-repairs.ts';
import { createElbv2 } from '../../../shared/providers/aws/load-balancer/api.ts';
import { createEc2Network } from '../../../shared/providers/aws/network/api.ts';
import { ownershipTag, ROLE_TAG } from '../../../shared/providers/aws/tags.ts';
import { systemRandom } from '../../../shared/random.ts';
import { createMemoryRecords } from '../../../shared/store/records/memory-records.ts';
import { withMemory } from '../../../shared/store/records/remembering-client.ts';
import { createAccount } from '../../local/account.ts';
import { startAws } from '../../local/aws.ts';
import { RAISED_QUOTAS } from '../../local/engines/ec2/settings.ts';
import { createDataPlane } from '../../local/engines/elbv2/data-plane.ts';
import type { SweepFigures } from './aws-figures.ts';
import { makeIdleClock, makeNetworks, ROOMY } from './sweep-networks.ts';

const MACHINES_EACH = 3;
const REGION = 'us-east-1';
/** The quotas of an account in which they have been raised for a thousand clusters. */
const ENOUGH = 10_000;
const ROOM = {
  quotas: {
    ...RAISED_QUOTAS,
    ...{
      vpcs: ENOUGH,
      internetGateways: ENOUGH,
      addresses: ENOUGH,
      natGatewaysPerZone: ENOUGH,
      securityGroups: ENOUGH,
    },
  },
  elbQuotas: {
    networkLoadBalancers: ENOUGH,
    classicLoadBalancers: ENOUGH,
    targetGroups: ENOUGH,
    listenersPerLoadBalancer: 50,
  },
};
const memoryObjects = async (clock: Clock) => {
  const ownership = { index: createMemoryOwnerIndex() };
  const storage = createMemoryStorage();
  const registry = createRegistry({ resources: KINDS, storage, clock, random: systemRandom, ownership });
  await ensureNamespaces(registry);
  return withMemory(createObjectClient(registry), createMemoryRecords());
};

type Objects = Awaited<ReturnType<typeof memoryObjects>>;

const CORE = 'cluster.x-k8s.io';
const INFRASTRUCTURE = 'infrastructure.cluster.x-k8s.io';

/** A cluster with its machines, as far as the sweep reads them. */
const addCluster = async (objects: Objects, name: string): Promise<void> => {
  const put = (kind: (typeof kinds)[keyof typeof kinds], object: object) =>
    objects.ensure(kind as never, object as KubeObject as never);
  const metadataOf = (own: string) => ({ namespace: 'default', name: own });
  const metadata = metadataOf(name);
  const infrastructureRef = { apiGroup: INFRASTRUCTURE, kind: 'AWSCluster', name };
  await put(kinds.cluster, { apiVersion: `${CORE}/v1beta2`, kind: 'Cluster', metadata, spec: { infrastructureRef } });
  const spec = { region: REGION, controlPlaneLoadBalancer: { loadBalancerType: 'nlb' } };
  const roomy = { ...metadata, annotations: ROOMY };
  await put(kinds.awsCluster, { apiVersion: `${INFRASTRUCTURE}/v1beta2`, kind: 'AWSCluster', metadata: roomy, spec });
  for (let index = 0; index < MACHINES_EACH; index += 1) {
    const own = `${name}-${index}`;
    const reference = { apiGroup: INFRASTRUCTURE, kind: 'AWSMachine', name: own };
    await put(kinds.awsMachine, {
      apiVersion: `${INFRASTRUCTURE}/v1beta2`,
      kind: 'AWSMachine',
      metadata: metadataOf(own),
      spec: { instanceType: 't3.large' },
    });
    await put(kinds.machine, {
      apiVersion: `${CORE}/v1beta2`,
      kind: 'Machine',
      metadata: metadataOf(own),
      spec: { clusterName: name, bootstrap: { dataSecretName: own }, infrastructureRef: reference },
    });
  }
};

const launch = async (ec2: EC2Client, ImageId: string | undefined, cluster: string): Promise<void> => {
  const tags = { [ROLE_TAG]: 'node', [ownershipTag(cluster)]: 'owned' };
  const Tags = Object.entries(tags).map(([Key, Value]) => ({ Key, Value }));
  await ec2.send(
    new RunInstancesCommand({
      ...{ ImageId, InstanceType: 't3.large', MinCount: MACHINES_EACH, MaxCount: MACHINES_EACH },
      TagSpecifications: [{ ResourceType: 'instance', Tags }],
    }),
  );
};

/** An account that counts calls, with clients of the services that sweeps call. */
const startAccount = async (clock: Clock) => {
  const account = createAccount({ clock, random: systemRandom, region: REGION, settings: ROOM });
  const counted = { isOn: false, calls: {} as Record<string, number> };
  const aws = await startAws({
    account,
    dataPlane: createDataPlane(),
    bindListeners: false,
    onCall: ({ service, operation }) => {
      const name = `${service}:${operation}`;
      if (counted.isOn) counted.calls[name] = (counted.calls[name] ?? 0) + 1;
    },
  });
  const options = { region: REGION, endpoint: aws.url, credentials: account.credentials };
  const ec2 = new EC2Client(options);
  const elbv2 = new ElasticLoadBalancingV2Client(options);
  const classic = new ElasticLoadBalancingClient(options);
  const close = async (): Promise<void> => {
    for (const client of [ec2, elbv2, classic]) client.destroy();
    account.bus.close();
    await aws.close();
  };
  return { counted, ec2, elbv2, classic, close };
};

type CountingAccount = Awaited<ReturnType<typeof startAccount>>;

const dependencies = ({ ec2, elbv2, classic }: CountingAccount, objects: Objects, clock: Clock): DriftDependencies => ({
  objects,
  records: createMemoryRecords(),
  providers: {
    aws: makeSweepPort({
      ...{ objects, clock, log: silentLog, scopeOf: controllerScopeOf },
      fleet: () => ({ ...createEc2Fleet(ec2), ...createEc2Schedule(ec2) }),
      secrets: () => {
        throw new Error('every machine has its node');
      },
      bootstrapSecrets: () => {
        throw new Error('no machine has late secrets');
      },
      bootstrapObjects: () => {
        throw new Error('no machine has a late object');
      },
      repairs: () => createEc2Repairs(ec2),
      network: () => networkView(ec2),
      balancing: () => balancingView(elbv2, classic),
      // The measured fleet has no pools, for which no calls are made.
      images: () => imageListing(ec2),
      pools: () => ({
        groups: async () => [],
        templates: async () => [],
        hooks: async () => [],
        subnets: async () => [],
      }),
    }),
  },
  connect: async () => {
    throw new Error('there is no cluster to be asked');
  },
  sweepMinutes: 5,
  shard: { index: 0, of: 1 },
  work: { due: async () => [] },
  touch: async () => {},
  pledges: { give: async () => '', redeem: async () => {}, open: async () => [] },
  affected: async () => [],
  collectGarbage: async () => ({ removed: 0 }) as never,
  clock,
  log: silentLog,
});

/** The calls of one sweep over this number of clusters with three machines each. */
export const measureSweep = async (clusters: number): Promise<SweepFigures> => {
  const clock = makeIdleClock();
  const objects = await memoryObjects(clock);
  const account = await startAccount(clock);
  const { ec2, elbv2, counted } = account;
  try {
    const make = makeNetworks({ objects, clock, ec2: createEc2Network(ec2, ec2), elbv2: createElbv2(elbv2) });
    const { Images: [image] = [] } = await ec2.send(new DescribeImagesCommand({}));
    for (let index = 0; index < clusters; index += 1) {
      await addCluster(objects, `cluster-${index}`);
      await make(`cluster-${index}`);
      await launch(ec2, image?.ImageId, `cluster-${index}`);
    }
    const machines = clusters * MACHINES_EACH;
    const drift = dependencies(account, objects, clock);
    counted.isOn = true;
    const start = performance.now();
    const run = startRun(drift);
    const { own } = await readNamespaces(drift);
    const names = own.map(({ metadata }) => metadata.name);
    const { namespaces, parts, unread } = await observeFleets(drift, names, run);
    const changed = await infrastructureDrift(drift, { namespaces, unread, believed: parts, trusted: parts }, run);
    const seconds = (performance.now() - start) / 1000;
    if (run.faults.length > 0) throw run.faults[0];
    const seen = parts.flatMap((part) => part.clusters).length;
    if (seen !== clusters) throw new Error(`the sweep has seen ${seen} of ${clusters} clusters`);
    if (changed.length > 0) throw new Error(`${changed.length} clusters look changed, and nobody has changed any`);
    return { clusters, machines, calls: counted.calls, seconds };
  } finally {
    await account.close();
  }
};
