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
  /** Changes with any change. */
  digest: string;
}

/** The configuration with which the instances of a group start. */
export interface DesiredTemplate extends TemplateDigests {
  name: string;
  /** Everything except the user data, which may contain a token. */
  data: Omit<RequestLaunchTemplateData, 'UserData'>;
  /** base64. */
  userData: string;
  /** The tags of the template itself. */
  tags: Tags;
  /**
   * The digests of earlier versions of Windlass. Those of version 0.1 changed with the order of security groups and
   * tags, and all of them with the first override of the instance type.
   */
  former?: readonly TemplateDigests[];
}

/** A launch template as EC2 describes it. */
export interface ObservedTemplate {
  id: string;
  name: string;
  latestVersion: number;
  tags: Tags;
}

/** A version of a launch template. The description of a version that Windlass has created contains the digests. */
export interface TemplateVersion {
  version: number;
  description: string | undefined;
  data: ResponseLaunchTemplateData;
}

/** Instances that are prepared outside a group, and join their cluster when the group takes them in. */
export interface WarmPool {
  minSize: number;
  /** Undefined: the group's maximum size applies. */
  maxPrepared: number | undefined;
  state: string;
  /** Whether instances return to it when the group shrinks. Windlass never uses this. */
  reuses: boolean;
}

/** The desired state of a group. */
export interface DesiredGroup {
  name: string;
  minSize: number;
  maxSize: number;
  /** Undefined: another program determines it. */
  desired: number | undefined;
  /** The initial size of a new group in that case. Undefined: AWS uses the minimum size. */
  initial?: number | undefined;
  subnetIds: readonly string[];
  /** Seconds. */
  cooldown: number;
  warmup: number;
  capacityRebalance: boolean;
  /** Whether new instances are protected from scale-in; undefined: others determine it. */
  protectsNew: boolean | undefined;
  /** Without the launch template, whose id is only known once it exists. */
  mixed: (Omit<MixedInstancesPolicy, 'LaunchTemplate'> & { overrides: readonly string[] }) | undefined;
  suspended: readonly string[];
  hooks: readonly LifecycleHookSpecification[];
  /** Null: there should be none; undefined: others determine it. */
  warm: WarmPool | null | undefined;
  tags: Tags;
}

/** The parts of a group's instance that its pool needs. */
export interface GroupInstance {
  id: string;
  zone: string;
  type: string;
  /** Auto Scaling's lifecycle state: `Pending`, `InService`, `Terminating:Wait` … */
  state: string;
  /** The version of the launch template with which it was launched. */
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

/** The changes of a group and its template, in this order. */
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
