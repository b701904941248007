/** The state of the simulated Auto Scaling. All times are milliseconds since the epoch. */
import type * as sdk from '@aws-sdk/client-auto-scaling';

/** The launch template that a member was launched from. */
export interface UsedTemplate {
  readonly id: string;
  readonly name: string;
  readonly version: number;
  /** The version as the group names it, for example `$Latest`. */
  readonly asked: string;
}

/** A lifecycle hook that an instance waits for. */
export interface HookWait {
  readonly hookName: string;
  readonly token: string;
  /** When the hook's default result counts; a heartbeat moves it. */
  until: number;
  /** When it counts whatever the heartbeats say. */
  readonly latest: number;
  result: 'CONTINUE' | 'ABANDON' | undefined;
}

/** Where an instance can be, as events and hooks name it. */
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
  /** How much of the desired capacity it is. */
  readonly weight: number;
  readonly isSpot: boolean;
  readonly launchedAt: number;
  state: sdk.LifecycleState;
  unhealthy: Unhealthy | undefined;
  isProtected: boolean;
  /** When it last became InService. */
  inServiceAt: number | undefined;
  waits: HookWait[];
  /** The activity that is in progress for it. */
  activityId: string | undefined;
  /** From where to where its current or last transition leads. */
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
  /** What the group launches from during the refresh, if the call specified it. */
  readonly desired: Source | undefined;
  /** What the group launched from before. */
  readonly before: Source;
  /** The instances that are to be replaced, as long as they are active. */
  readonly old: Set<string>;
  total: number;
  /** Instances whose replacement has warmed up. */
  replaced: number;
  /** When `replaced` grew last. */
  progressAt: number;
  status: sdk.InstanceRefreshStatus;
  reason: string | undefined;
  endedAt: number | undefined;
  /** How many checkpoints were reached, and until when the last one lasts. */
  checkpoints: number;
  pausedUntil: number | undefined;
  bakesUntil: number | undefined;
  /** Whether a cancellation waits for instances that are about to come or go. */
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
  /** -1 or undefined: none. */
  warmupSeconds: number | undefined;
  healthCheckType: string;
  gracePeriodSeconds: number;
  subnetIds: readonly string[];
  /** False where only zones were given: then the default subnets in them are used. */
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
  /** Why each process is suspended. */
  readonly suspended: Map<string, string>;
  readonly tags: Map<string, { value: string; propagates: boolean }>;
  readonly hooks: Map<string, Hook>;
  readonly members: Map<string, Member>;
  /** The newest last. */
  activities: Activity[];
  /** The newest last. */
  refreshes: Refresh[];
  warmPool: WarmPool | undefined;
  /** What has changed the desired capacity last, as the causes of activities begin. */
  cause: string;
  /** Unhealthy instances that were removed and not replaced yet. */
  replacements: number;
  /** Launches that failed one after another, and when the next attempt is due. */
  failures: number;
  retryAt: number;
  /** When the last activity ended, for cooldowns. */
  scaledAt: number | undefined;
  isDeleting: boolean;
}
