import { secondsOf } from '../../../kinds/aws-machine-pool/durations.ts';
import { DRAIN_HOOK, distinctHooks, PREPARE_HOOK } from '../../../kinds/aws-machine-pool/hook-names.ts';
import type { AWSMachinePoolSpec } from '../../../kinds/aws-machine-pool/schema.ts';
import type { AWSCluster, AWSMachinePool, MachinePool } from '../../../kinds/index.ts';
import { scaleInProtection, warmPoolWish } from '../../../kinds/rules/pool-wishes.ts';
import { areReplicasManaged } from '../../../plan/pools/digest.ts';
import { isCoreSubnet } from '../network/subnets/kinds.ts';
import type { Tags } from '../tags.ts';
import { readGroupMemory } from './memory.ts';
import type { DesiredGroup, LifecycleHookSpecification, WarmPool } from './model.ts';
import { groupNameOf } from './name.ts';
import { suspendedProcesses } from './processes.ts';

type Subnet = NonNullable<NonNullable<AWSCluster['spec']['network']>['subnets']>[number];

const idOf = ({ id, resourceID }: Subnet): string => resourceID ?? id ?? '';

type SubnetReference = NonNullable<NonNullable<AWSMachinePool['spec']>['subnets']>[number];

/** The subnet that a pool names by id, either EC2's id or the AWSCluster's; undefined if filters select it. */
export const givenSubnet = ({ id }: SubnetReference, { spec }: AWSCluster): string | undefined =>
  id ? (spec.network?.subnets?.find((subnet) => subnet.id === id)?.resourceID ?? id) : undefined;

const fits = (subnet: Subnet, kind: AWSMachinePoolSpec['availabilityZoneSubnetType']): boolean => {
  if (kind === undefined || kind === 'all') return true;
  return (subnet.isPublic === true) === (kind === 'public') && isCoreSubnet(subnet);
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
 * The subnets of a group: those that the pool names (`named`, looked up beforehand), or else those in the zones that
 * the AWSMachinePool names, or else those in the failure domains of the MachinePool, or else all private subnets of the
 * cluster. Local and Wavelength Zones are only used if they are named: they lack many instance types and cost more.
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

const DRAIN_SECONDS = { usual: 900, most: 7200 };

/** Auto Scaling waits at most this long, and then terminates the instance anyway. */
const drainHook = ({ spec }: MachinePool): LifecycleHookSpecification => {
  const timeout = spec.template.spec.deletion?.nodeDrainTimeoutSeconds || DRAIN_SECONDS.usual;
  return {
    LifecycleHookName: DRAIN_HOOK,
    LifecycleTransition: 'autoscaling:EC2_INSTANCE_TERMINATING',
    HeartbeatTimeout: Math.min(Math.max(timeout, 30), DRAIN_SECONDS.most),
    DefaultResult: 'CONTINUE',
  };
};

/**
 * Instances of a warm pool are stopped when the time is over, because only the instance itself knows when it is ready.
 * The hook also holds instances that the group takes in. Their wait is ended as soon as they are observed (plan.ts).
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

/** A warm pool that the pool never requested belongs to someone else. */
const warmOf = (infrastructure: AWSMachinePool): WarmPool | null | undefined => {
  const wish = warmPoolWish(infrastructure);
  if (!wish) return readGroupMemory(infrastructure).warmPool ? null : undefined;
  const { minSize, maxGroupPreparedCapacity: maxPrepared, poolState: state } = wish;
  // An instance that has been in service has the credentials of a node and data that its pods have left behind.
  return { minSize, maxPrepared, state, reuses: false };
};

/** AWS accepts no fractions. 4.35m are 261 seconds, although the product is slightly less in floating point. */
const wholeSeconds = (duration: string | undefined, usual: number): number =>
  Math.trunc((secondsOf(duration ?? '') ?? usual) + 1e-9);

/** AWS's defaults for fields that the pool does not set, so that the removal of a field from the pool takes effect. */
const HOOK_DEFAULTS = { result: 'ABANDON', seconds: 3600 };

const hooksOf = ({ spec }: AWSMachinePool): LifecycleHookSpecification[] =>
  distinctHooks(spec ?? {}).map((hook) => ({
    LifecycleHookName: hook.name,
    LifecycleTransition: hook.lifecycleTransition,
    ...(hook.notificationTargetARN ? { NotificationTargetARN: hook.notificationTargetARN } : {}),
    ...(hook.roleARN ? { RoleARN: hook.roleARN } : {}),
    HeartbeatTimeout: wholeSeconds(hook.heartbeatTimeout, HOOK_DEFAULTS.seconds),
    DefaultResult: hook.defaultResult ?? HOOK_DEFAULTS.result,
    ...(hook.notificationMetadata ? { NotificationMetadata: hook.notificationMetadata } : {}),
  }));

/**
 * The distribution of a group that specifies none; upstream has the same. It is sent, because AWS keeps omitted parts of
 * an earlier distribution.
 */
export const DISTRIBUTION = {
  OnDemandAllocationStrategy: 'prioritized',
  OnDemandBaseCapacity: 0,
  OnDemandPercentageAboveBaseCapacity: 100,
  SpotAllocationStrategy: 'lowest-price',
} as const;

const mixedOf = ({ spec }: AWSMachinePool): DesiredGroup['mixed'] => {
  const { mixedInstancesPolicy: policy } = spec ?? {};
  if (!policy) return undefined;
  const { instancesDistribution: wanted = {}, overrides = [] } = policy;
  return {
    overrides: overrides.map(({ instanceType }) => instanceType),
    InstancesDistribution: {
      OnDemandAllocationStrategy: wanted.onDemandAllocationStrategy ?? DISTRIBUTION.OnDemandAllocationStrategy,
      OnDemandBaseCapacity: wanted.onDemandBaseCapacity ?? DISTRIBUTION.OnDemandBaseCapacity,
      OnDemandPercentageAboveBaseCapacity:
        wanted.onDemandPercentageAboveBaseCapacity ?? DISTRIBUTION.OnDemandPercentageAboveBaseCapacity,
      SpotAllocationStrategy: wanted.spotAllocationStrategy ?? DISTRIBUTION.SpotAllocationStrategy,
    },
  };
};

const isWithinSizes = ({ spec: { replicas = 1 } }: MachinePool, { spec }: AWSMachinePool): boolean =>
  replicas >= (spec?.minSize ?? 1) && replicas <= (spec?.maxSize ?? 1);

/** Why the sizes of a pool contradict each other; undefined if they do not, or the replicas are managed externally. */
export const sizeProblem = (pool: MachinePool, infrastructure: AWSMachinePool): string | undefined => {
  if (areReplicasManaged(pool) || isWithinSizes(pool, infrastructure)) return undefined;
  const { minSize = 1, maxSize = 1 } = infrastructure.spec ?? {};
  const replicas = pool.spec.replicas ?? 1;
  return `spec.replicas of MachinePool ${pool.metadata.name} is ${replicas}, not between spec.minSize ${minSize} and spec.maxSize ${maxSize}`;
};

/** The capacity of the group. An external autoscaler only changes it once the group exists (CAPA: CreateASG). */
const capacityOf = (pool: MachinePool, infrastructure: AWSMachinePool): Pick<DesiredGroup, 'desired' | 'initial'> => {
  const { replicas = 1 } = pool.spec;
  if (!areReplicasManaged(pool)) return { desired: replicas };
  return { desired: undefined, initial: isWithinSizes(pool, infrastructure) ? replicas : undefined };
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
    ...capacityOf(pool, infrastructure),
    subnetIds: [...subnetIds].sort(),
    cooldown: wholeSeconds(spec?.defaultCoolDown, 300),
    warmup: wholeSeconds(spec?.defaultInstanceWarmup, 300),
    capacityRebalance: spec?.capacityRebalance ?? false,
    protectsNew: scaleInProtection(infrastructure),
    mixed: mixedOf(infrastructure),
    suspended: suspendedProcesses(spec ?? {}),
    hooks: [...hooksOf(infrastructure), drainHook(pool), ...prepareHooks(infrastructure)],
    warm: warmOf(infrastructure),
    tags,
  };
};
