/** Groups, their instances and their activities in responses. */
import type * as sdk from '@aws-sdk/client-auto-scaling';
import { pooledMembers } from '../members.ts';
import type { Activity, Group, Member, WarmPool } from '../records.ts';
import type { AutoScaling } from '../state.ts';

const templateView = ({ template }: Member): sdk.LaunchTemplateSpecification | undefined =>
  template && {
    LaunchTemplateId: template.id,
    LaunchTemplateName: template.name,
    Version: String(template.version),
  };

const healthOf = ({ unhealthy }: Member) => (unhealthy === undefined ? 'Healthy' : 'Unhealthy');

export const instanceView = (group: Group, member: Member): sdk.Instance => ({
  InstanceId: member.id,
  InstanceType: member.instanceType,
  AvailabilityZone: member.zone,
  LifecycleState: member.state,
  HealthStatus: healthOf(member),
  LaunchTemplate: templateView(member),
  ProtectedFromScaleIn: member.isProtected,
  WeightedCapacity: hasWeights(group) ? String(member.weight) : undefined,
});

/** An instance in the answer of DescribeAutoScalingInstances, which writes its health in capitals. */
export const detailsView = (group: Group, member: Member): sdk.AutoScalingInstanceDetails => ({
  ...instanceView(group, member),
  LifecycleState: member.state,
  HealthStatus: healthOf(member).toUpperCase(),
  AutoScalingGroupName: group.name,
});

const hasWeights = ({ source }: Group): boolean =>
  source.mixed?.LaunchTemplate?.Overrides?.some(({ WeightedCapacity }) => WeightedCapacity !== undefined) === true;

/** -1 if the group does not limit the prepared capacity. */
export const warmPoolView = (pool: WarmPool): sdk.WarmPoolConfiguration => ({
  MaxGroupPreparedCapacity: pool.maxPrepared ?? -1,
  MinSize: pool.minSize,
  PoolState: pool.poolState,
  Status: pool.isDeleting ? 'PendingDelete' : undefined,
  InstanceReusePolicy: pool.reuseOnScaleIn ? { ReuseOnScaleIn: true } : undefined,
});

export const tagView = (group: Group): sdk.TagDescription[] =>
  [...group.tags].map(([Key, { value, propagates }]) => ({
    ResourceId: group.name,
    ResourceType: 'auto-scaling-group',
    Key,
    Value: value,
    PropagateAtLaunch: propagates,
  }));

const optional = (group: Group): Partial<sdk.AutoScalingGroup> => ({
  LaunchTemplate: group.source.template,
  MixedInstancesPolicy: group.source.mixed,
  PlacementGroup: group.placementGroup,
  MaxInstanceLifetime: group.maxLifetimeSeconds,
  CapacityRebalance: group.rebalancesCapacity,
  Context: group.context,
  DefaultInstanceWarmup: group.warmupSeconds,
  Status: group.isDeleting ? 'Delete in progress' : undefined,
  InstanceMaintenancePolicy: group.maintenance && {
    MinHealthyPercentage: group.maintenance.min,
    MaxHealthyPercentage: group.maintenance.max,
  },
});

/** A group with the instances that are not in its warm pool. */
export const groupView = (group: Group): sdk.AutoScalingGroup => ({
  AutoScalingGroupName: group.name,
  AutoScalingGroupARN: group.arn,
  ...optional(group),
  ...(group.warmPool
    ? { WarmPoolConfiguration: warmPoolView(group.warmPool), WarmPoolSize: pooledMembers(group).length }
    : {}),
  MinSize: group.min,
  MaxSize: group.max,
  DesiredCapacity: group.desired,
  DefaultCooldown: group.cooldownSeconds,
  AvailabilityZones: [...group.zones],
  LoadBalancerNames: group.loadBalancerNames,
  TargetGroupARNs: group.targetGroupArns,
  TrafficSources: [
    ...group.targetGroupArns.map((Identifier) => ({ Identifier, Type: 'elbv2' })),
    ...group.loadBalancerNames.map((Identifier) => ({ Identifier, Type: 'elb' })),
  ],
  HealthCheckType: group.healthCheckType,
  HealthCheckGracePeriod: group.gracePeriodSeconds,
  Instances: [...group.members.values()]
    .filter(({ state }) => !state.startsWith('Warmed:'))
    .map((member) => instanceView(group, member)),
  CreatedTime: new Date(group.createdAt),
  SuspendedProcesses: [...group.suspended].map(([ProcessName, SuspensionReason]) => ({
    ProcessName,
    SuspensionReason,
  })),
  EnabledMetrics: [],
  VPCZoneIdentifier: group.namesSubnets ? group.subnetIds.join(',') : '',
  Tags: tagView(group),
  TerminationPolicies: [...group.terminationPolicies],
  NewInstancesProtectedFromScaleIn: group.protectsNew,
  ServiceLinkedRoleARN: group.serviceLinkedRoleArn,
});

export const activityView = (
  as: AutoScaling,
  { name, arn }: { readonly name: string; readonly arn: string },
  activity: Activity,
): sdk.Activity => ({
  ActivityId: activity.id,
  AutoScalingGroupName: name,
  AutoScalingGroupARN: arn,
  AutoScalingGroupState: as.groups.get(name)?.arn === arn ? undefined : 'Deleted',
  Description: activity.description,
  Cause: activity.cause,
  StartTime: new Date(activity.startedAt),
  EndTime: activity.endedAt === undefined ? undefined : new Date(activity.endedAt),
  StatusCode: activity.status,
  StatusMessage: activity.message,
  Progress: activity.progress,
  Details: activity.details,
});
