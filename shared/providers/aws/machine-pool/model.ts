import type {
  LifecycleHook as GroupHook,
  LifecycleHookSpecification,
  MixedInstancesPolicy,
  RefreshPreferences,
} from '@aws-sdk/client-auto-scaling';
import type { RequestLaunchTemplateData, ResponseLaunchTemplateData } from '@aws-sdk/client-ec2';
import type { Tags } from '../tags.ts';

export interface TemplateDigests {
  /** Changes when instances must be replaced; see desiredTemplate. */
  shape: string;
  /** Changes with anything. */
  digest: string;
}

/** What the instances of a group start as. */
export interface DesiredTemplate extends TemplateDigests {
  name: string;
  /** Everything but the user data, which may hold a token. */
  data: Omit<RequestLaunchTemplateData, 'UserData'>;
  /** base64. */
  userData: string;
  /** Of the template itself. */
  tags: Tags;
  /** The digests of version 0.1, which changed with the order of security groups and tags. */
  former?: TemplateDigests;
}

/** A launch template as EC2 describes it. */
export interface ObservedTemplate {
  id: string;
  name: string;
  latestVersion: number;
  tags: Tags;
}

/** A version of a launch template; the description of ours contains the digests. */
export interface TemplateVersion {
  version: number;
  description: string | undefined;
  data: ResponseLaunchTemplateData;
}

/** Instances that are prepared beside a group, and join their cluster when it takes them in. */
export interface WarmPool {
  minSize: number;
  /** Undefined: the group's maximum size counts. */
  maxPrepared: number | undefined;
  state: string;
  /** Whether instances return to it when the group shrinks; ours do not. */
  reuses: boolean;
}

/** The desired state of a group. */
export interface DesiredGroup {
  name: string;
  minSize: number;
  maxSize: number;
  /** Undefined: something else decides on it. */
  desired: number | undefined;
  /** What a new group begins with in that case; undefined: AWS begins with the minimum size. */
  initial?: number | undefined;
  subnetIds: readonly string[];
  /** Seconds. */
  cooldown: number;
  warmup: number;
  capacityRebalance: boolean;
  /** Whether new instances are protected from scale-in; undefined: others decide on it. */
  protectsNew: boolean | undefined;
  /** Without the launch template, whose id is only known once it exists. */
  mixed: (Omit<MixedInstancesPolicy, 'LaunchTemplate'> & { overrides: readonly string[] }) | undefined;
  suspended: readonly string[];
  hooks: readonly LifecycleHookSpecification[];
  /** Null: it is to have none; undefined: others decide on it. */
  warm: WarmPool | null | undefined;
  tags: Tags;
}

/** An instance of a group, as its pool needs it. */
export interface GroupInstance {
  id: string;
  zone: string;
  type: string;
  /** Auto Scaling's lifecycle state: `Pending`, `InService`, `Terminating:Wait` … */
  state: string;
  /** The version of the launch template that it was launched with. */
  version: number | undefined;
}

/** A group as Auto Scaling describes it. */
export interface ObservedGroup {
  name: string;
  arn: string;
  /** Set while it is being deleted. */
  status: string | undefined;
  minSize: number;
  maxSize: number;
  desired: number;
  subnetIds: readonly string[];
  cooldown: number | undefined;
  warmup: number | undefined;
  capacityRebalance: boolean;
  protectsNew: boolean;
  templateId: string | undefined;
  mixed: MixedInstancesPolicy | undefined;
  suspended: readonly string[];
  tags: Tags;
  /** Without those of the warm pool. */
  instances: readonly GroupInstance[];
  /** `status` is set while it is being deleted. */
  warm: (WarmPool & { status: string | undefined }) | undefined;
}

/** A replacement of instances. */
export interface Refresh {
  id: string;
  status: string;
  reason: string | undefined;
  percentage: number | undefined;
}

export type { GroupHook, LifecycleHookSpecification, RefreshPreferences };

/** What is done to a group and its template, in this order. */
export type PoolAction =
  | { do: 'create-template'; template: DesiredTemplate }
  | { do: 'create-version'; templateId: string; template: DesiredTemplate }
  | { do: 'delete-versions'; templateId: string; versions: readonly number[] }
  | { do: 'create-group'; group: DesiredGroup }
  | { do: 'update-group'; group: DesiredGroup; because: readonly string[] }
  | { do: 'tag-group'; name: string; tags: Tags }
  | { do: 'untag-group'; name: string; keys: readonly string[] }
  | { do: 'suspend'; name: string; processes: readonly string[] }
  | { do: 'resume'; name: string; processes: readonly string[] }
  | { do: 'put-hook'; name: string; hook: LifecycleHookSpecification }
  | { do: 'delete-hook'; name: string; hook: string }
  | { do: 'put-warm-pool'; name: string; warm: WarmPool }
  | { do: 'delete-warm-pool'; name: string; because: string }
  | { do: 'end-waits'; name: string; hook: string; instances: readonly string[] }
  | { do: 'cancel-refresh'; name: string }
  | { do: 'record-refresh'; id: string }
  | { do: 'start-refresh'; name: string; strategy: string; preferences: RefreshPreferences };
