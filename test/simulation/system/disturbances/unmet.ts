/** The differences of a disturbed cluster from its desired state, which only its objects describe. */
import { type AutoScalingGroup, DescribeInstanceRefreshesCommand } from '@aws-sdk/client-auto-scaling';
import type { ControlPlane } from '../../../../shared/kinds/contract-objects.ts';
import type {
  AWSMachine,
  AWSMachinePool,
  Cluster,
  Machine,
  MachineDeployment,
  MachinePool,
  MachineSet,
} from '../../../../shared/kinds/index.ts';
import type { KubeObject } from '../../../../shared/kube-api/object.ts';
import { ANNOTATION, LABEL } from '../../../../shared/plan/labels.ts';
import { isTrue } from '../../../../shared/plan/status/conditions.ts';
import { TOPOLOGY_LABEL } from '../../../../shared/plan/topology/objects.ts';
import { isControlPlane } from '../machine-order.ts';
import { POOL } from '../stories/further-machines.ts';
import { unmetByDuties } from '../stories/services.ts';
import { whatTopologyLacks } from '../stories/topology.ts';
import { controlPlanes, named } from '../user.ts';
import { isWarm, liveInstances, ownershipBreaches } from '../verdicts/judge.ts';
import type { Place } from './change.ts';
import { endpointOf, unmetByEndpoint } from './endpoint.ts';
import { foundationOf } from './foundation.ts';
import { groupsIn } from './group.ts';
import { lost, missing } from './lost.ts';
import { groupsOf } from './topology.ts';

const state = ({ metadata, status }: Machine): string[] => [
  ...(metadata.deletionTimestamp ? [`${metadata.name} is still being deleted`] : []),
  ...(isTrue(status?.conditions, 'Available') ? [] : [`${metadata.name} is not Available`]),
];

const isStale = ({ metadata, status }: KubeObject & { status?: { observedGeneration?: number } }): boolean =>
  status?.observedGeneration !== metadata.generation;

interface Owner extends KubeObject {
  status?: { observedGeneration?: number; upToDateReplicas?: number; replicas?: number };
}

const count = (owner: Owner, wanted: number, machines: readonly Machine[]): string[] => [
  ...(machines.length === wanted
    ? []
    : [`${owner.kind} ${owner.metadata.name} has ${machines.length} machines, not ${wanted}`]),
  ...(isStale(owner) ? [`the status of ${owner.kind} ${owner.metadata.name} is outdated`] : []),
  ...(owner.status?.replicas === wanted ? [] : [`${owner.kind} ${owner.metadata.name} reports other replicas`]),
];

const unmetByControlPlane = (owner: ControlPlane, machines: readonly Machine[]): string[] => [
  ...count(owner, owner.spec.replicas ?? 1, machines),
  ...(owner.status?.upToDateReplicas === machines.length ? [] : ['the control plane is not rolled out']),
  ...(isTrue(owner.status?.conditions, 'Available') ? [] : ['the control plane is not Available']),
];

const unmetByDeployment = (
  owner: MachineDeployment,
  machines: readonly Machine[],
  infrastructure: ReadonlyMap<string, AWSMachine>,
  sets: readonly MachineSet[],
): string[] => {
  const { replicas = 1, template } = owner.spec;
  const templateOf = ({ spec }: Machine) =>
    infrastructure.get(spec.infrastructureRef.name)?.metadata.annotations?.[ANNOTATION.clonedFromName];
  const wrong = machines.filter(
    (machine) =>
      machine.spec.version !== template.spec.version ||
      machine.metadata.labels?.tier !== template.metadata?.labels?.tier ||
      templateOf(machine) !== template.spec.infrastructureRef.name,
  );
  const used = sets.filter(
    ({ metadata, spec }) => (spec.replicas ?? 0) > 0 && metadata.labels?.[LABEL.deploymentName] === owner.metadata.name,
  );
  return [
    ...count(owner, replicas, machines),
    ...wrong.map(({ metadata }) => `${metadata.name} is not as MachineDeployment ${owner.metadata.name} wants`),
    ...(used.length > 1 ? [`${used.length} MachineSets have machines`] : []),
  ];
};

const FAILED: readonly (string | undefined)[] = ['Cancelled', 'Failed'];

interface PoolFacts {
  owner: MachinePool;
  pool: AWSMachinePool;
  group: AutoScalingGroup | undefined;
  machines: readonly Machine[];
  types: ReadonlyMap<string, string>;
  /** The last instance refresh of the group was given up, after which its instances do not change. */
  isGivenUp: boolean;
  hasMixedTypes: boolean;
}

const unmetByGroup = ({ owner, pool, group, types, isGivenUp, hasMixedTypes }: PoolFacts): string[] => {
  if (group === undefined) return ['the pool has no group'];
  const { minSize, maxSize, awsLaunchTemplate, refreshPreferences } = pool.spec ?? {};
  const { Instances: all = [], SuspendedProcesses = [], Tags = [] } = group;
  const Instances = all.filter(({ LifecycleState = '' }) => !LifecycleState.startsWith('Warmed:'));
  const wrong = Instances.filter(({ InstanceId = '' }) => types.get(InstanceId) !== awsLaunchTemplate?.instanceType);
  const isReplacing = !hasMixedTypes && !refreshPreferences?.disable && !isGivenUp;
  return [
    ...(group.MinSize === minSize && group.MaxSize === maxSize ? [] : ['the group has other sizes']),
    ...(group.DesiredCapacity === owner.spec.replicas ? [] : [`the group wants ${group.DesiredCapacity} instances`]),
    ...(Instances.length === group.DesiredCapacity ? [] : [`the group has ${Instances.length} instances`]),
    ...(SuspendedProcesses.length === 0 ? [] : ['processes of the group are suspended']),
    ...(Tags.find(({ Key }) => Key === 'tier')?.Value === pool.spec?.additionalTags?.tier ? [] : ['a tag differs']),
    ...Instances.filter(({ LifecycleState }) => LifecycleState !== 'InService').map(
      ({ InstanceId, LifecycleState }) => `${InstanceId} is ${LifecycleState}`,
    ),
    ...(isReplacing ? wrong.map(({ InstanceId }) => `${InstanceId} is of another type`) : []),
  ];
};

const unmetByPool = (facts: PoolFacts): string[] => {
  const { owner, pool, machines } = facts;
  const { replicas } = owner.spec;
  return [
    ...count(owner, replicas ?? 1, machines),
    ...(owner.status?.readyReplicas === replicas ? [] : ['machines of the pool are not ready']),
    ...(pool.status?.ready ? [] : ['the AWSMachinePool is not ready']),
    ...unmetByGroup(facts),
  ];
};

const poolMachines = (machines: readonly Machine[]): Machine[] =>
  machines.filter(({ metadata }) => metadata.labels?.[LABEL.poolName] === POOL);

const wasGivenUp = async ({ autoScaling }: Place, group: AutoScalingGroup | undefined): Promise<boolean> => {
  if (group === undefined) return false;
  const { AutoScalingGroupName } = group;
  const { InstanceRefreshes = [] } = await autoScaling.send(
    new DescribeInstanceRefreshesCommand({ AutoScalingGroupName }),
  );
  return FAILED.includes(InstanceRefreshes[0]?.Status);
};

const unmetByPools = async (place: Place, machines: readonly Machine[]): Promise<string[]> => {
  const { user, world } = place;
  const groups = await groupsIn(place);
  const own = poolMachines(machines);
  const owner = await named<MachinePool>(user, 'MachinePool', POOL);
  const pool = await named<AWSMachinePool>(user, 'AWSMachinePool', POOL);
  if (owner?.metadata.deletionTimestamp || pool?.metadata.deletionTimestamp) return ['the pool is still being deleted'];
  if (owner === undefined || pool === undefined)
    return [
      ...(place.mayLackPool ? [] : ['the pool is gone although no user has deleted it']),
      ...own.map(({ metadata }) => `${metadata.name} is left of the pool`),
      ...(groups.length > 0 ? ['the group of the pool is left'] : []),
    ];
  const types = new Map(
    liveInstances(world.account).map(({ id, instanceType }): [string, string] => [id, instanceType]),
  );
  const [group] = groups;
  const isGivenUp = await wasGivenUp(place, group);
  const { hasMixedTypes } = place;
  return unmetByPool({ owner, pool, group, machines: own, types, isGivenUp, hasMixedTypes });
};

/** The differences of a topology's MachineDeployments and status from the desired state. */
const unmetByTopology = async (
  { user }: Place,
  cluster: Cluster | undefined,
  deployments: readonly MachineDeployment[],
): Promise<string[]> => {
  const { topology } = cluster?.spec ?? {};
  if (cluster === undefined || topology === undefined) return [];
  const groups = groupsOf(cluster);
  const lacking = groups.filter(({ name, replicas }) => {
    const own = deployments.find(({ metadata }) => metadata.labels?.[TOPOLOGY_LABEL.deploymentName] === name);
    return own?.spec.replicas !== replicas || own?.spec.template.spec.version !== topology.version;
  });
  const found = await whatTopologyLacks(user, groups.length);
  return [...lacking.map(({ name }) => `group ${name} is not as the topology wants`), ...(found ? [found] : [])];
};

/**
 * Work that ends without intervention. It is checked first, because each of the user's requests takes as long as a
 * pass.
 */
const WORKING = ['Windlass-provision-machine', 'Windlass-remove-machine', 'Windlass-converge-pool'];

const running = ({ world }: Place): string[] =>
  world.laptop.runtime
    .executions()
    .filter(({ status, machineArn }) => status === 'RUNNING' && WORKING.includes(machineArn.split(':').at(-1) ?? ''))
    .map(({ name, machineArn }) => `${machineArn.split(':').at(-1)} ${name} is running`);

/** The differences of the cluster from the desired state of its objects. */
const unmetInCluster = async (place: Place, machines: readonly Machine[]): Promise<string[]> => {
  const { user, world } = place;
  const awsMachines = await user.list<AWSMachine>('AWSMachine');
  const infrastructure = new Map(awsMachines.map((one) => [one.metadata.name, one]));
  const sets = await user.list<MachineSet>('MachineSet');
  const owners = await controlPlanes(user);
  const deployments = await user.list<MachineDeployment>('MachineDeployment');
  const [cluster] = await user.list<Cluster>('Cluster');
  const ofDeployment = ({ metadata }: MachineDeployment) =>
    machines.filter((machine) => machine.metadata.labels?.[LABEL.deploymentName] === metadata.name);
  const isWarmOne = isWarm(world.account);
  const { length } = liveInstances(world.account).filter((one) => !isWarmOne(one));
  const endpoint = endpointOf(world.account);
  const foundation = foundationOf(world.account);
  return [
    ...lost(cluster, owners, deployments),
    ...(await missing(place)),
    ...owners.flatMap((owner) => unmetByControlPlane(owner, machines.filter(isControlPlane))),
    ...deployments.flatMap((owner) => unmetByDeployment(owner, ofDeployment(owner), infrastructure, sets)),
    ...(await unmetByTopology(place, cluster, deployments)),
    ...(await unmetByPools(place, machines)),
    ...(length === machines.length ? [] : [`${length} instances are live, and ${machines.length} Machines exist`]),
    ...(awsMachines.length === machines.length ? [] : [`${awsMachines.length} AWSMachines exist`]),
    ...(endpoint === place.endpoint ? [] : [`the load balancers are ${endpoint}, not ${place.endpoint}`]),
    ...unmetByEndpoint(world.account, machines),
    ...(foundation === place.foundation ? [] : [`there are ${foundation}, not ${place.foundation}`]),
    ...ownershipBreaches(world.account, machines),
    ...(place.hasDuties ? await unmetByDuties(world) : []),
  ];
};

/** All differences from the desired state of the cluster's objects; empty if there are none. */
export const unmetIn = async (place: Place): Promise<string[]> => {
  const working = running(place);
  if (working.length > 0) return working;
  const machines = await place.user.list<Machine>('Machine');
  const unready = machines.flatMap(state);
  return unready.length > 0 ? unready : unmetInCluster(place, machines);
};
