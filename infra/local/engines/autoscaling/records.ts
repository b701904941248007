/** The state of the simulated Auto Scaling. All times are milliseconds since the epoch. */
import type * as sdk from '@aws-sdk/client-auto-scaling';

/** The launch template from which a member was launched. */
export interface UsedTemplate {
  readonly id: string;
  readonly name: string;
  readonly version: number;
  /** The version in the group's own terms, for example `$Latest`. */
  readonly asked: string;
}

/** A lifecycle hook for which an instance waits. */
export interface HookWait {
  readonly hookName: string;
  readonly token: string;
  /** The time from which the hook's default result counts; a heartbeat postpones it. */
  until: number;
  /** The latest such time, whatever the heartbeats. */
  readonly latest: number;
  result: 'CONTINUE' | 'ABANDON' | undefined;
}

/** The places of an instance, as events and hooks name them. */
export type Spot = 'EC2' | 'WarmPool' | 'AutoScalingGroup';

export type Unhealthy = 'EC2' | 'ELB' | 'user';

/** An instance of a group or of its warm pool. */
export interface Member {
  readonly id: string;
  readonly zone: string;
  readonly subnetId: string;
  readonly instanceType: string;
  readonly imageId: string;
  readonly template: UsedTemplate | undefined;
  /** Its share of the desired capacity. */
  readonly weight: number;
  readonly isSpot: boolean;
  readonly launchedAt: number;
  state: sdk.LifecycleState;
  unhealthy: Unhealthy | undefined;
  isProtected: boolean;
  /** The time when it last became InService. */
  inServiceAt: number | undefined;
  waits: HookWait[];
  /** The current activity about it. */
  activityId: string | undefined;
  /** The start and the destination of its current or last transition. */
  from: Spot;
  to: Spot;
}

export interface Activity {
  readonly id: string;
  readonly description: string;
  readonly cause: string;
  readonly startedAt: number;
  readonly instanceId: string | undefined;
  readonly details: string;
  endedAt: number | undefined;
  status: sdk.ScalingActivityStatusCode;
  message: string | undefined;
  progress: number;
}

export interface Hook {
  readonly name: string;
  readonly transition: string;
  readonly targetArn: string | undefined;
  readonly roleArn: string | undefined;
  readonly metadata: string | undefined;
  readonly heartbeatSeconds: number;
  readonly defaultResult: 'CONTINUE' | 'ABANDON';
}

/** The source of a group's instances: one of the two is set. */
export interface Source {
  readonly template?: sdk.LaunchTemplateSpecification;
  readonly mixed?: sdk.MixedInstancesPolicy;
}

export interface Refresh {
  readonly id: string;
  readonly startedAt: number;
  /** With the defaults of AWS and of the group. */
  readonly preferences: sdk.RefreshPreferences;
  /** The source of launches during the refresh, if the call specified one. */
  readonly desired: Source | undefined;
  /** The source of launches before the refresh. */
  readonly before: Source;
  /** The active instances that must be replaced. */
  readonly old: Set<string>;
  total: number;
  /** Instances whose replacement has warmed up. */
  replaced: number;
  /** The time when `replaced` last increased. */
  progressAt: number;
  status: sdk.InstanceRefreshStatus;
  reason: string | undefined;
  endedAt: number | undefined;
  /** The number of reached checkpoints, and the end of the pause at the last one. */
  checkpoints: number;
  pausedUntil: number | undefined;
  bakesUntil: number | undefined;
  /** Whether a cancellation waits for instances that are being launched or terminated. */
  waitsForInstances: boolean;
  rollback: { reason: string; startedAt: number; percentage: number; instances: number } | undefined;
}

export interface WarmPool {
  maxPrepared: number | undefined;
  minSize: number;
  poolState: sdk.WarmPoolState;
  reuseOnScaleIn: boolean;
  isDeleting: boolean;
}

export interface Group {
  readonly name: string;
  readonly arn: string;
  readonly createdAt: number;
  /** Position in paginated answers. */
  readonly sequence: number;
  readonly serviceLinkedRoleArn: string;
  source: Source;
  min: number;
  max: number;
  desired: number;
  cooldownSeconds: number;
  /** -1 or undefined if there is none. */
  warmupSeconds: number | undefined;
  healthCheckType: string;
  gracePeriodSeconds: number;
  subnetIds: readonly string[];
  /** False if only zones were given: then their default subnets are used. */
  namesSubnets: boolean;
  zones: readonly string[];
  targetGroupArns: string[];
  loadBalancerNames: string[];
  placementGroup: string | undefined;
  terminationPolicies: readonly string[];
  protectsNew: boolean;
  /** Undefined if this was never requested. */
  rebalancesCapacity: boolean | undefined;
  maxLifetimeSeconds: number | undefined;
  maintenance: { min: number; max: number } | undefined;
  context: string | undefined;
  /** The reason why each process is suspended. */
  readonly suspended: Map<string, string>;
  readonly tags: Map<string, { value: string; propagates: boolean }>;
  readonly hooks: Map<string, Hook>;
  readonly members: Map<string, Member>;
  /** The newest last. */
  activities: Activity[];
  /** The newest last. */
  refreshes: Refresh[];
  warmPool: WarmPool | undefined;
  /** The last reason for a change of the desired capacity, with which the causes of activities begin. */
  cause: string;
  /** Unhealthy instances that were removed and not replaced yet. */
  replacements: number;
  /** The number of consecutive failed launches, and the time of the next attempt. */
  failures: number;
  retryAt: number;
  /** The end of the last activity, for cooldowns. */
  scaledAt: number | undefined;
  isDeleting: boolean;
}
