/** A complete cluster in a simulated account, with the sweep and the pass steps that detect drift. */
import type { S3Client } from '@aws-sdk/client-s3';
import { SecretsManagerClient } from '@aws-sdk/client-secrets-manager';
import { workers } from '../../functions/cluster/objects/workers/workers.ts';
import { probe } from '../../functions/cluster/workload/probe.ts';
import type { DriftDependencies } from '../../functions/drift/dependencies.ts';
import { resultOf, sweep } from '../../functions/drift/sweep.ts';
import { controllerScopeOf } from '../../functions/providers/aws/aws-scope.ts';
import { balancingView } from '../../functions/providers/aws/drift/fleet.ts';
import { makeSweepPort } from '../../functions/providers/aws/drift/sweep.ts';
import { loadBalancer } from '../../functions/providers/aws/load-balancer/load-balancer.ts';
import { natGateways } from '../../functions/providers/aws/network/nat-gateways.ts';
import { network } from '../../functions/providers/aws/network/network.ts';
import { makeWorkloadPort } from '../../functions/providers/aws/workload-port.ts';
import type { AwsOptions } from '../../infra/local/aws.ts';
import { recordedCall } from '../../infra/local/recorded-call.ts';
import { createS3Client } from '../../shared/aws/clients/s3.ts';
import { webCryptoKeys } from '../../shared/bootstrap/certificates/keys.ts';
import { type Cluster, kinds } from '../../shared/kinds/index.ts';
import { ON_DRIFT } from '../../shared/kinds/rules/drift-policy.ts';
import { type Log, silentLog } from '../../shared/log.ts';
import { createDeletedSecrets } from '../../shared/providers/aws/api/deleted-secrets.ts';
import { createEc2Capacity } from '../../shared/providers/aws/api/ec2-capacity.ts';
import { createEc2Fleet, createEc2Schedule } from '../../shared/providers/aws/api/ec2-fleet.ts';
import { imageListing } from '../../shared/providers/aws/api/ec2-image-listing.ts';
import { createEc2Ownership } from '../../shared/providers/aws/api/ec2-ownership.ts';
import { createEc2Repairs } from '../../shared/providers/aws/api/ec2-repairs.ts';
import { createObjectDeletion } from '../../shared/providers/aws/api/object-deletion.ts';
import { createSecretDeletion } from '../../shared/providers/aws/api/secret-deletion.ts';
import { systemRandom } from '../../shared/random.ts';
import { createMemoryPledges } from '../../shared/store/work/memory-pledges.ts';
import type { ConvergeInput } from '../../shared/work/payloads.ts';
import { create } from '../cluster-infrastructure/steps.ts';
import { asTask, KEY, startWorld, type World } from '../cluster-infrastructure/world.ts';
import { addMachine, addSet } from './machines.ts';
import { addNodes, clientOf, type Nodes } from './nodes.ts';

/** The pass steps that repair drift. */
export type Step = 'network' | 'natGateways' | 'loadBalancer' | 'workers' | 'probe';

export interface DriftWorld extends World {
  /** Ids of the instances. */
  controlPlane: string;
  worker: string;
  nodes: Nodes;
  /** The names of the calls that changed the account since the list was last cleared. */
  calls: string[];
  /** The same calls, with their parameters. */
  requests: { operation: string; input: unknown }[];
  /** True if it requested a pass over the cluster. */
  sweep(): Promise<boolean>;
  sweepDependencies(log?: Log): DriftDependencies;
  /** Runs a step of a pass, possibly for another cluster than the world's own. */
  run(step: Step, input: ConvergeInput): Promise<unknown>;
  pass(step: Step): Promise<void>;
  setPolicy(policies: string): Promise<void>;
  cluster(): Promise<Cluster>;
}

const unused = (name: string) => async () => {
  throw new Error(`${name} is not part of this`);
};

const stepsOf = (world: World, nodes: Nodes) => {
  const { objects, clock } = world;
  const balancing = { elbv2: () => world.elbv2, classicElb: () => world.classicElb, garbage: () => world.garbage };
  const addresses = () => world.addresses;
  const ownership = () => createEc2Ownership(world.client);
  const resolves = async () => true;
  const ports = { ec2: () => world.ec2, account: () => world.facts(), ...balancing, addresses, ownership, resolves };
  const infrastructure = {
    ...{ objects, clock, random: systemRandom, scopeOf: controllerScopeOf, ...ports },
    ...{ buckets: () => world.buckets, accountId: '000000000000', ...world.memories },
  };
  const executions = {
    startConverge: unused('startConverge'),
    startProvision: unused('startProvision'),
    startRemove: unused('startRemove'),
    startPool: unused('startPool'),
  };
  const objectsOnly = { objects, clock, random: systemRandom, keys: webCryptoKeys, executions };
  return {
    network: network(infrastructure),
    natGateways: natGateways(infrastructure),
    loadBalancer: loadBalancer(infrastructure),
    workers: workers({ ...objectsOnly, work: {} as never, touch: unused('touch') }),
    probe: probe({
      ...{ objects, clock, log: silentLog, connect: () => clientOf(nodes) },
      providers: {
        aws: makeWorkloadPort({
          scopeOf: controllerScopeOf,
          fleet: () => createEc2Fleet(world.client),
          capacity: () => createEc2Capacity(world.client),
        }),
      },
      // The remediation of a control plane requests the next pass.
      work: { touch: async () => ({ wanted: 1, leased: true }) },
    }),
  } satisfies Record<Step, unknown>;
};

/** The Secrets Manager of the world's account. */
export const secretsOf = ({ endpoint }: Pick<World, 'endpoint'>): SecretsManagerClient =>
  new SecretsManagerClient({
    ...{ endpoint, region: 'us-east-1', maxAttempts: 1 },
    credentials: { accessKeyId: 'test', secretAccessKey: 'test' },
  });

/** The S3 of the world's account. */
export const s3Of = ({ endpoint }: Pick<World, 'endpoint'>): S3Client =>
  createS3Client({
    ...{ endpoint, region: 'us-east-1' },
    credentials: { accessKeyId: 'test', secretAccessKey: 'test' },
  });

const awsPort = (world: World, log: Log) => {
  const { objects, clock, client } = world;
  return makeSweepPort({
    ...{ objects, clock, log, scopeOf: controllerScopeOf },
    fleet: () => ({ ...createEc2Fleet(client), ...createEc2Schedule(client) }),
    repairs: () => createEc2Repairs(client),
    secrets: () => createDeletedSecrets(secretsOf(world)),
    bootstrapSecrets: () => createSecretDeletion(secretsOf(world)),
    bootstrapObjects: () => createObjectDeletion(s3Of(world)),
    network: () => world.ec2,
    balancing: () => balancingView(world.clients.elbv2, world.clients.elb),
    images: () => imageListing(client),
    pools: () => ({
      groups: async () => [],
      templates: async () => [],
      hooks: async () => [],
      subnets: async () => [],
    }),
  });
};

/** The dependencies of a sweep over the world. */
const sweepDependencies = (world: World, nodes: Nodes, log = silentLog): DriftDependencies => {
  const { objects, records, clock } = world;
  return {
    objects,
    records,
    work: { due: async () => [] },
    touch: async () => {},
    pledges: createMemoryPledges({ clock }),
    affected: async () => [],
    providers: { aws: awsPort(world, log) },
    connect: async () => () => clientOf(nodes),
    sweepMinutes: 5,
    shard: { index: 0, of: 1 },
    collectGarbage: async () => ({ touched: [], failures: [], left: 0 }),
    clock,
    log,
  };
};

const sweepOver = async (world: World, nodes: Nodes): Promise<boolean> => {
  let isTouched = false;
  const touch = async () => {
    isTouched = true;
  };
  resultOf(await sweep({ ...sweepDependencies(world, nodes), touch }));
  return isTouched;
};

/** The world an hour after the cluster was complete: one zone, a control plane machine and a worker. */
export const startDriftWorld = async (options: { hasTrail?: boolean } = {}): Promise<DriftWorld> => {
  const calls: string[] = [];
  const network = { vpc: { availabilityZoneUsageLimit: 1 } };
  // A load balancer can be recreated only behind a name of the user.
  const controlPlaneEndpoint = { host: 'api.red.example', port: 6443 };
  const requests: DriftWorld['requests'] = [];
  const onCall: AwsOptions['onCall'] = (call, _code, exchange) => {
    const { operation, input } = recordedCall(call, exchange.input);
    if (/^(Describe|Get|List)/.test(operation)) return;
    calls.push(operation);
    requests.push({ operation, input });
  };
  const world = await startWorld({ network, controlPlaneEndpoint }, {}, { onCall, ...options });
  world.account.settings.natMilliseconds = 0;
  await create(world);
  const set = await addSet(world);
  const controlPlane = await addMachine(world, 'red-control-plane');
  const worker = await addMachine(world, 'red-worker', set);
  await addMachine(world, 'red-control-plane-2');
  const nodes = await addNodes(world);
  const steps = stepsOf(world, nodes);
  await asTask(world.clock, () => steps.loadBalancer(world.input));
  await steps.probe(world.input);
  world.clock.advance(3600);
  calls.length = 0;
  requests.length = 0;
  return {
    ...world,
    controlPlane,
    worker,
    nodes,
    calls,
    requests,
    sweep: () => sweepOver(world, nodes),
    sweepDependencies: (log) => sweepDependencies(world, nodes, log),
    run: (step, input) => asTask<unknown>(world.clock, () => steps[step](input)),
    pass: async (step) => {
      // Each of these is a separate pass, in which this step is the first to detect drift.
      world.memories.networkCache.forget(world.input.cluster.uid);
      await asTask<unknown>(world.clock, () => steps[step](world.input));
    },
    setPolicy: async (policies) => {
      await world.objects.mutate(kinds.cluster, KEY, ({ metadata, ...cluster }) => ({
        ...cluster,
        metadata: { ...metadata, annotations: { ...metadata.annotations, [ON_DRIFT]: policies } },
      }));
    },
    cluster: async () => {
      const found = await world.objects.get(kinds.cluster, KEY);
      if (!found) throw new Error('the Cluster is gone');
      return found;
    },
  };
};
