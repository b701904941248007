/**
 * The infrastructure steps of a pass in the workflow's order, in a world, possibly with a wrapper that kills the run.
 */
import { controllerScopeOf } from '../../functions/providers/aws/aws-scope.ts';
import { deleteLoadBalancer } from '../../functions/providers/aws/load-balancer/delete-load-balancer.ts';
import { loadBalancer } from '../../functions/providers/aws/load-balancer/load-balancer.ts';
import { deleteNetwork } from '../../functions/providers/aws/network/delete-network.ts';
import { natGateways } from '../../functions/providers/aws/network/nat-gateways.ts';
import { network } from '../../functions/providers/aws/network/network.ts';
import { kinds } from '../../shared/kinds/index.ts';
import { createEc2Ownership } from '../../shared/providers/aws/api/ec2-ownership.ts';
import type { AwsScope } from '../../shared/providers/aws/scope.ts';
import { systemRandom } from '../../shared/random.ts';
import { withMemory } from '../../shared/store/records/remembering-client.ts';
import { type Executioner, isAwsWrite, isObjectWrite, isRecordWrite, makeExecutioner } from './faults.ts';
import { asTask, type World as FullWorld, KEY } from './world.ts';

type World = Omit<FullWorld, 'close'>;

const isAddressWrite = (method: string): boolean => /^(allocate|release)/.test(method);

const dependencies = (world: World, executioner: Executioner) => {
  const ec2 = executioner.guard(world.ec2, isAwsWrite);
  const elbv2 = executioner.guard(world.elbv2, isAwsWrite);
  const resolves = async (name: string) => !world.unknownNames.has(name) && !world.unknownNames.has('*');
  const classicElb = executioner.guard(world.classicElb, isAwsWrite);
  const garbage = executioner.guard(world.garbage, isAwsWrite);
  const addresses = executioner.guard(world.addresses, isAddressWrite);
  // An object and its record are written one after the other: a run may die in between.
  const objects = withMemory(
    executioner.guard(world.stored, isObjectWrite),
    executioner.guard(world.records, isRecordWrite),
  );
  const buckets = () => executioner.guard(world.buckets, (method) => method !== 'tags');
  const accountId = '000000000000';
  const account = ({ region }: AwsScope) => world.facts(region);
  const ports = {
    ec2: () => ec2,
    account,
    elbv2: () => elbv2,
    classicElb: () => classicElb,
    garbage: () => garbage,
    addresses: () => addresses,
    ownership: () => createEc2Ownership(world.client),
    buckets,
    resolves,
  };
  const common = { objects, clock: world.clock, random: systemRandom, scopeOf: controllerScopeOf, accountId };
  return { ...common, ...ports, ...world.memories };
};

export const nobody = (): Executioner => makeExecutioner(Number.POSITIVE_INFINITY, 'after');

/** Reports the cluster as Available, as `report` does when all machines are running. */
const sayAvailable = async ({ objects, clock, input }: World): Promise<void> => {
  const condition = { type: 'Available', status: 'True', reason: 'Available', message: '' } as const;
  const lastTransitionTime = clock.now().toISOString();
  await objects.mutate(kinds.cluster, input.cluster, (cluster) => ({
    ...cluster,
    status: { ...cluster.status, conditions: [{ ...condition, lastTransitionTime }] } as typeof cluster.status,
  }));
};

/** Creates missing resources, one step after the other, with the workflow's retries. */
export const createInfrastructure = async (world: World, executioner = nobody()): Promise<boolean> => {
  const deps = dependencies(world, executioner);
  for (const step of [network(deps), loadBalancer(deps), natGateways(deps)]) {
    const { ready } = await asTask(world.clock, () => step(world.input));
    if (!ready) return false;
  }
  return true;
};

/** Creates the infrastructure of a cluster and reports the cluster as Available. */
export const create = async (world: World, executioner = nobody()): Promise<boolean> => {
  const isReady = await createInfrastructure(world, executioner);
  if (isReady) await sayAvailable(world);
  return isReady;
};

/** Deletes the Cluster and the AWSCluster, as a user and `teardown` do. */
export const askForDeletion = async ({ objects }: World): Promise<void> => {
  await objects.delete(kinds.cluster, KEY);
  await objects.delete(kinds.awsCluster, KEY);
};

/** Runs passes of the deletion until it is done; throws if this takes more than `passes`. */
export const remove = async (world: World, { executioner = nobody(), passes = 20 } = {}): Promise<void> => {
  const deps = dependencies(world, executioner);
  for (let pass = 0; pass < passes; pass += 1) {
    const first = await asTask(world.clock, () => deleteLoadBalancer(deps)(world.input));
    const second = first.done && (await asTask(world.clock, () => deleteNetwork(deps)(world.input))).done;
    if (second) return;
    world.clock.advance(5);
  }
  throw new Error(`not deleted after ${passes} passes`);
};
