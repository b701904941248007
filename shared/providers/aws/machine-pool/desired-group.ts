import { secondsOf } from '../../../kinds/aws-machine-pool/durations.ts';
import type { AWSMachinePoolSpec } from '../../../kinds/aws-machine-pool/schema.ts';
import type { AWSCluster, AWSMachinePool, MachinePool } from '../../../kinds/index.ts';
import { scaleInProtection, warmPoolWish } from '../../../kinds/rules/pool-wishes.ts';
import { areReplicasManaged } from '../../../plan/pools/digest.ts';
import type { Tags } from '../tags.ts';
import { readGroupMemory } from './memory.ts';
import type { DesiredGroup, LifecycleHookSpecification, WarmPool } from './model.ts';
import { groupNameOf } from './name.ts';
import { suspendedProcesses } from './processes.ts';

type Subnet = NonNullable<NonNullable<AWSCluster['spec']['network']>['subnets']>[number];

/** Subnets of secondary CIDR blocks are for pods. */
const ASSOCIATION_TAG = 'sigs.k8s.io/cluster-api-provider-aws/association';

export const isForPods = ({ tags }: Pick<Subnet, 'tags'>): boolean => tags?.[ASSOCIATION_TAG] === 'secondary';
const idOf = ({ id, resourceID }: Subnet): string => resourceID ?? id ?? '';

type SubnetReference = NonNullable<NonNullable<AWSMachinePool['spec']>['subnets']>[number];

/** The subnet that a pool names by id, EC2's or that of the AWSCluster; undefined if filters select it. */
export const givenSubnet = ({ id }: SubnetReference, { spec }: AWSCluster): string | undefined =>
  id ? (spec.network?.subnets?.find((subnet) => subnet.id === id)?.resourceID ?? id) : undefined;

const fits = (subnet: Subnet, kind: AWSMachinePoolSpec['availabilityZoneSubnetType']): boolean => {
  if (kind === undefined || kind === 'all') return true;
  return (subnet.isPublic === true) === (kind === 'public') && !isForPods(subnet);
};

const inZones = (
  zones: readonly string[],
  subnets: readonly Subnet[],
  { field, kind }: { field: string; kind: AWSMachinePoolSpec['availabilityZoneSubnetType'] },
): string[] | { problem: string } => {
  const found = zones.map((zone) => subnets.filter((one) => one.availabilityZone === zone && fits(one, kind)));
  const missing = zones.filter((_, index) => found[index]?.length === 0);
  if (missing.length > 0)
    return { problem: `${field}: the cluster has no ${kind ?? ''} subnet in ${missing.join(', ')}`.replace('  ', ' ') };
  return [...new Set(found.flat().map(idOf))];
};

/**
 * The subnets of a group: those that the pool names (`named`, looked up before), else those of the zones that the
 * AWSMachinePool names, else those of the failure domains of the MachinePool, else all private ones of the cluster.
 * Source: CAPA pkg/cloud/scope/shared.go, defaultSubnetPlacementStrategy.
 */
export const groupSubnets = (
  { spec: pool }: MachinePool,
  { spec }: AWSMachinePool,
  awsCluster: AWSCluster,
  named: readonly string[],
): string[] | { problem: string } => {
  if (named.length > 0) return [...named];
  const subnets = awsCluster.spec.network?.subnets ?? [];
  const kind = spec?.availabilityZoneSubnetType;
  const zones = spec?.availabilityZones ?? [];
  if (zones.length > 0) return inZones(zones, subnets, { field: 'spec.availabilityZones', kind });
  const domains = pool.failureDomains ?? [];
  if (domains.length > 0) return inZones(domains, subnets, { field: 'spec.failureDomains of the MachinePool', kind });
  const all = subnets
    .filter((subnet) => fits(subnet, 'private'))
    .map(idOf)
    .filter(Boolean);
  return all.length > 0 ? all : { problem: 'spec.subnets: the cluster has no private subnet; name subnets' };
};

/** The hook by which the nodes of instances that leave a group are drained first. */
export const DRAIN_HOOK = 'windlass-drain';

const DRAIN_SECONDS = { usual: 900, most: 7200 };

/** The longest time for which Auto Scaling waits; then it terminates the rest anyway. */
const drainHook = ({ spec }: MachinePool): LifecycleHookSpecification => {
  const timeout = spec.template.spec.deletion?.nodeDrainTimeoutSeconds || DRAIN_SECONDS.usual;
  return {
    LifecycleHookName: DRAIN_HOOK,
    LifecycleTransition: 'autoscaling:EC2_INSTANCE_TERMINATING',
    HeartbeatTimeout: Math.min(Math.max(timeout, 30), DRAIN_SECONDS.most),
    DefaultResult: 'CONTINUE',
  };
};

/** The hook that gives an instance of a warm pool time to prepare itself before it is stopped. */
export const PREPARE_HOOK = 'windlass-prepare';

/**
 * Instances of a warm pool are stopped when the time is over, because nothing but the instance knows when it is ready.
 * The hook also holds those that the group takes in, which are told to go on as soon as they are seen (plan.ts).
 */
const prepareHooks = (infrastructure: AWSMachinePool): LifecycleHookSpecification[] => {
  const wish = warmPoolWish(infrastructure);
  if (!wish) return [];
  return [
    {
      LifecycleHookName: PREPARE_HOOK,
      LifecycleTransition: 'autoscaling:EC2_INSTANCE_LAUNCHING',
      HeartbeatTimeout: wish.preparationSeconds,
      DefaultResult: 'CONTINUE',
    },
  ];
};

/** A warm pool that the pool never asked for is another's. */
const warmOf = (infrastructure: AWSMachinePool): WarmPool | null | undefined => {
  const wish = warmPoolWish(infrastructure);
  if (!wish) return readGroupMemory(infrastructure).warmPool ? null : undefined;
  const { minSize, maxGroupPreparedCapacity: maxPrepared, poolState: state } = wish;
  // An instance that has served has a node's credentials and what its pods left behind.
  return { minSize, maxPrepared, state, reuses: false };
};

const hooksOf = ({ spec }: AWSMachinePool): LifecycleHookSpecification[] =>
  (spec?.lifecycleHooks ?? []).map((hook) => ({
    LifecycleHookName: hook.name,
    LifecycleTransition: hook.lifecycleTransition,
    ...(hook.notificationTargetARN ? { NotificationTargetARN: hook.notificationTargetARN } : {}),
    ...(hook.roleARN ? { RoleARN: hook.roleARN } : {}),
    ...(hook.heartbeatTimeout ? { HeartbeatTimeout: secondsOf(hook.heartbeatTimeout) } : {}),
    ...(hook.defaultResult ? { DefaultResult: hook.defaultResult } : {}),
    ...(hook.notificationMetadata ? { NotificationMetadata: hook.notificationMetadata } : {}),
  }));

const mixedOf = ({ spec }: AWSMachinePool): DesiredGroup['mixed'] => {
  const { mixedInstancesPolicy: policy } = spec ?? {};
  if (!policy) return undefined;
  const { instancesDistribution: wanted, overrides = [] } = policy;
  return {
    overrides: overrides.map(({ instanceType }) => instanceType),
    ...(wanted
      ? {
          InstancesDistribution: {
            OnDemandAllocationStrategy: wanted.onDemandAllocationStrategy ?? 'prioritized',
            OnDemandBaseCapacity: wanted.onDemandBaseCapacity ?? 0,
            OnDemandPercentageAboveBaseCapacity: wanted.onDemandPercentageAboveBaseCapacity ?? 100,
            SpotAllocationStrategy: wanted.spotAllocationStrategy ?? 'lowest-price',
          },
        }
      : {}),
  };
};

/** Why the sizes of a pool contradict each other; undefined if they do not, or the replicas are managed externally. */
export const sizeProblem = (pool: MachinePool, { spec }: AWSMachinePool): string | undefined => {
  const { minSize = 1, maxSize = 1 } = spec ?? {};
  const replicas = pool.spec.replicas ?? 1;
  if (areReplicasManaged(pool) || (replicas >= minSize && replicas <= maxSize)) return undefined;
  return `spec.replicas of MachinePool ${pool.metadata.name} is ${replicas}, not between spec.minSize ${minSize} and spec.maxSize ${maxSize}`;
};

/** The desired group of a pool. */
export const desiredGroup = (
  pool: MachinePool,
  infrastructure: AWSMachinePool,
  { subnetIds, tags }: { subnetIds: readonly string[]; tags: Tags },
): DesiredGroup => {
  const { spec } = infrastructure;
  return {
    name: groupNameOf(infrastructure),
    minSize: spec?.minSize ?? 1,
    maxSize: spec?.maxSize ?? 1,
    desired: areReplicasManaged(pool) ? undefined : (pool.spec.replicas ?? 1),
    subnetIds: [...subnetIds].sort(),
    cooldown: secondsOf(spec?.defaultCoolDown ?? '5m') ?? 300,
    warmup: secondsOf(spec?.defaultInstanceWarmup ?? '5m') ?? 300,
    capacityRebalance: spec?.capacityRebalance ?? false,
    protectsNew: scaleInProtection(infrastructure),
    mixed: mixedOf(infrastructure),
    suspended: suspendedProcesses(spec ?? {}),
    hooks: [...hooksOf(infrastructure), drainHook(pool), ...prepareHooks(infrastructure)],
    warm: warmOf(infrastructure),
    tags,
  };
};
