import {
  type AutoScalingClient,
  CancelInstanceRefreshCommand,
  CreateAutoScalingGroupCommand,
  CreateOrUpdateTagsCommand,
  DeleteAutoScalingGroupCommand,
  DeleteLifecycleHookCommand,
  DeleteTagsCommand,
  DeleteWarmPoolCommand,
  DescribeInstanceRefreshesCommand,
  DescribeScalingActivitiesCommand,
  PutLifecycleHookCommand,
  PutWarmPoolCommand,
  type RefreshStrategy,
  ResumeProcessesCommand,
  StartInstanceRefreshCommand,
  SuspendProcessesCommand,
  UpdateAutoScalingGroupCommand,
  type WarmPoolState,
} from '@aws-sdk/client-auto-scaling';
import { awsCodeOf } from '../../../aws/errors.ts';
import type { Tags } from '../tags.ts';
import { endWait } from './drain-waits.ts';
import { describeGroups, describeHooks, describeWarmInstances } from './group-reads.ts';
import type {
  DesiredGroup,
  GroupHook,
  GroupInstance,
  LifecycleHookSpecification,
  ObservedGroup,
  Refresh,
  RefreshPreferences,
  WarmPool,
} from './model.ts';

/** The calls of Auto Scaling for a pool. AWS errors are passed on unchanged. */
export interface AutoScalingGroups {
  describe(names: readonly string[]): Promise<ObservedGroup[]>;
  create(group: DesiredGroup, templateId: string): Promise<void>;
  update(group: DesiredGroup, templateId: string): Promise<void>;
  tag(name: string, tags: Tags): Promise<void>;
  untag(name: string, keys: readonly string[]): Promise<void>;
  suspend(name: string, processes: readonly string[]): Promise<void>;
  resume(name: string, processes: readonly string[]): Promise<void>;
  hooks(name: string): Promise<GroupHook[]>;
  putHook(name: string, hook: LifecycleHookSpecification): Promise<void>;
  deleteHook(name: string, hook: string): Promise<void>;
  warmInstances(name: string): Promise<GroupInstance[]>;
  putWarmPool(name: string, warm: WarmPool): Promise<void>;
  /** Deletes the warm pool with its instances. False if it is gone, already being deleted, or cannot be deleted yet. */
  deleteWarmPool(name: string): Promise<boolean>;
  /** Ends an instance's wait for a hook. Succeeds if nothing is waiting. */
  endWait(name: string, hook: string, instanceId: string): Promise<void>;
  /** The latest replacement of instances. */
  latestRefresh(name: string): Promise<Refresh | undefined>;
  /** Returns the id of the replacement. */
  startRefresh(name: string, strategy: string, preferences: RefreshPreferences): Promise<string>;
  /** Succeeds if it has ended in the meantime. */
  cancelRefresh(name: string): Promise<void>;
  /** Why the latest attempt to launch or terminate an instance has failed; undefined if it has not. */
  latestFailure(name: string): Promise<string | undefined>;
  /** Deletes the group with all its instances. False if it is gone, already being deleted, or cannot be deleted yet. */
  remove(name: string): Promise<boolean>;
}

/** The latest version is used: a new one with another token is for future instances of the group. */
const launchSource = ({ mixed }: DesiredGroup, LaunchTemplateId: string) => {
  const specification = { LaunchTemplateId, Version: '$Latest' };
  if (!mixed) return { LaunchTemplate: specification };
  const { overrides, ...policy } = mixed;
  const Overrides = overrides.map((InstanceType) => ({ InstanceType }));
  return {
    MixedInstancesPolicy: { ...policy, LaunchTemplate: { LaunchTemplateSpecification: specification, Overrides } },
  };
};

const common = (group: DesiredGroup, templateId: string) => ({
  AutoScalingGroupName: group.name,
  MinSize: group.minSize,
  MaxSize: group.maxSize,
  ...(group.desired === undefined ? {} : { DesiredCapacity: group.desired }),
  VPCZoneIdentifier: group.subnetIds.join(','),
  DefaultCooldown: group.cooldown,
  DefaultInstanceWarmup: group.warmup,
  CapacityRebalance: group.capacityRebalance,
  ...(group.protectsNew === undefined ? {} : { NewInstancesProtectedFromScaleIn: group.protectsNew }),
  ...launchSource(group, templateId),
});

const tagsOf = (name: string, tags: Tags) =>
  Object.entries(tags).map(([Key, Value]) => ({
    Key,
    Value,
    ResourceId: name,
    ResourceType: 'auto-scaling-group',
    // The instances get their tags from the launch template.
    PropagateAtLaunch: false,
  }));

/** Auto Scaling's answers while it works on the same group, or is already deleting it. */
const BUSY = ['ScalingActivityInProgress', 'ResourceInUse'];

/** Whether Auto Scaling has accepted a deletion. */
const begin = async (request: Promise<unknown>, isOver: (error: unknown) => boolean): Promise<boolean> => {
  try {
    await request;
    return true;
  } catch (error) {
    if (BUSY.includes(awsCodeOf(error) ?? '') || isOver(error)) return false;
    throw error;
  }
};

const unless = async <T>(codes: readonly string[], request: Promise<T>): Promise<T | undefined> => {
  try {
    return await request;
  } catch (error) {
    if (codes.includes(awsCodeOf(error) ?? '')) return undefined;
    throw error;
  }
};

const isNoGroup = (error: unknown): boolean =>
  awsCodeOf(error) === 'ValidationError' && error instanceof Error && /not found/i.test(error.message);

/** The port, implemented with Auto Scaling. */
export const createAutoScalingGroups = (client: AutoScalingClient): AutoScalingGroups => ({
  describe: (names) => describeGroups(client, names),
  create: async (group, templateId) => {
    const input = {
      ...common({ ...group, desired: group.desired ?? group.initial }, templateId),
      LifecycleHookSpecificationList: [...group.hooks],
      Tags: tagsOf(group.name, group.tags),
    };
    await client.send(new CreateAutoScalingGroupCommand(input));
  },
  update: async (group, templateId) => {
    await client.send(new UpdateAutoScalingGroupCommand(common(group, templateId)));
  },
  tag: async (name, tags) => {
    await client.send(new CreateOrUpdateTagsCommand({ Tags: tagsOf(name, tags) }));
  },
  untag: async (name, keys) => {
    const Tags = keys.map((Key) => ({ Key, ResourceId: name, ResourceType: 'auto-scaling-group' }));
    await client.send(new DeleteTagsCommand({ Tags }));
  },
  suspend: async (AutoScalingGroupName, processes) => {
    await client.send(new SuspendProcessesCommand({ AutoScalingGroupName, ScalingProcesses: [...processes] }));
  },
  resume: async (AutoScalingGroupName, processes) => {
    await client.send(new ResumeProcessesCommand({ AutoScalingGroupName, ScalingProcesses: [...processes] }));
  },
  hooks: (name) => describeHooks(client, name),
  putHook: async (AutoScalingGroupName, hook) => {
    await client.send(new PutLifecycleHookCommand({ AutoScalingGroupName, ...hook }));
  },
  deleteHook: async (AutoScalingGroupName, LifecycleHookName) => {
    await client.send(new DeleteLifecycleHookCommand({ AutoScalingGroupName, LifecycleHookName }));
  },
  warmInstances: (name) => describeWarmInstances(client, name),
  putWarmPool: async (AutoScalingGroupName, { minSize, maxPrepared, state, reuses }) => {
    const input = {
      AutoScalingGroupName,
      MinSize: minSize,
      // Omitted fields are left unchanged by the call.
      MaxGroupPreparedCapacity: maxPrepared ?? -1,
      PoolState: state as WarmPoolState,
      InstanceReusePolicy: { ReuseOnScaleIn: reuses },
    };
    await client.send(new PutWarmPoolCommand(input));
  },
  deleteWarmPool: async (AutoScalingGroupName) => {
    const request = client.send(new DeleteWarmPoolCommand({ AutoScalingGroupName, ForceDelete: true }));
    // Auto Scaling has one code for all invalid requests. The next check reads the actual state.
    return begin(request, (error) => awsCodeOf(error) === 'ValidationError');
  },
  endWait: (group, hook, instanceId) => endWait(client, { group, hook, instanceId }),
  latestRefresh: async (AutoScalingGroupName) => {
    const input = { AutoScalingGroupName, MaxRecords: 1 };
    const { InstanceRefreshes: [latest] = [] } = await client.send(new DescribeInstanceRefreshesCommand(input));
    if (!latest) return undefined;
    const { InstanceRefreshId = '', Status = '', StatusReason, PercentageComplete } = latest;
    return { id: InstanceRefreshId, status: Status, reason: StatusReason, percentage: PercentageComplete };
  },
  startRefresh: async (AutoScalingGroupName, strategy, Preferences) => {
    const input = { AutoScalingGroupName, Strategy: strategy as RefreshStrategy, Preferences };
    return (await client.send(new StartInstanceRefreshCommand(input))).InstanceRefreshId ?? '';
  },
  cancelRefresh: async (AutoScalingGroupName) => {
    const request = client.send(new CancelInstanceRefreshCommand({ AutoScalingGroupName }));
    await unless(['ActiveInstanceRefreshNotFound'], request);
  },
  latestFailure: async (AutoScalingGroupName) => {
    const input = { AutoScalingGroupName, MaxRecords: 1 };
    const { Activities: [latest] = [] } = await client.send(new DescribeScalingActivitiesCommand(input));
    return latest?.StatusCode === 'Failed' ? (latest.StatusMessage ?? latest.Description) : undefined;
  },
  remove: async (AutoScalingGroupName) => {
    return begin(
      client.send(new DeleteAutoScalingGroupCommand({ AutoScalingGroupName, ForceDelete: true })),
      isNoGroup,
    );
  },
});
