import type * as sdk from '@aws-sdk/client-auto-scaling';
import { AwsFault } from '../../wire/fault.ts';
import type { Handlers } from '../../wire/handlers.ts';
import { globalSeconds, LAUNCHING, TERMINATING } from '../hooks.ts';
import type { Group, Hook, HookWait } from '../records.ts';
import { type AutoScaling, getGroup, validationError } from '../state.ts';
import { readHook } from './read-hook.ts';

const HOOKS_PER_GROUP = 50;

const put = (as: AutoScaling, input: sdk.PutLifecycleHookType): void => {
  const group = getGroup(as, input.AutoScalingGroupName);
  const hook = readHook(input, group.hooks.get(input.LifecycleHookName ?? ''));
  if (!group.hooks.has(hook.name) && group.hooks.size >= HOOKS_PER_GROUP)
    throw new AwsFault('LimitExceeded', `An Auto Scaling group can have at most ${HOOKS_PER_GROUP} lifecycle hooks.`);
  group.hooks.set(hook.name, hook);
};

const view = (group: Group, hook: Hook): sdk.LifecycleHook => ({
  LifecycleHookName: hook.name,
  AutoScalingGroupName: group.name,
  LifecycleTransition: hook.transition,
  NotificationTargetARN: hook.targetArn,
  RoleARN: hook.roleArn,
  NotificationMetadata: hook.metadata,
  HeartbeatTimeout: hook.heartbeatSeconds,
  GlobalTimeout: globalSeconds(hook.heartbeatSeconds),
  DefaultResult: hook.defaultResult,
});

/** The wait that a call refers to: by its token, or by its instance. Throws a ValidationError if there is none. */
const findWait = (
  group: Group,
  { LifecycleHookName: name, LifecycleActionToken: token, InstanceId: id }: sdk.CompleteLifecycleActionType,
): HookWait => {
  if (token === undefined && id === undefined)
    throw validationError('Either a LifecycleActionToken or an InstanceId must be specified.');
  const waits = [...group.members.values()]
    .filter((member) => id === undefined || member.id === id)
    .flatMap((member) => member.waits)
    .filter((wait) => wait.hookName === name && wait.result === undefined);
  const found = waits.find((wait) => token === undefined || wait.token === token);
  if (found) return found;
  throw validationError(
    token === undefined
      ? `No active Lifecycle Action found with instance ID ${id}`
      : `No active Lifecycle Action found with token ${token}`,
  );
};

const resultOf = (given: string | undefined): HookWait['result'] => {
  if (given === 'CONTINUE' || given === 'ABANDON') return given;
  throw validationError('Lifecycle Action Result must be one of CONTINUE or ABANDON');
};

/** Lifecycle hooks and the instances that wait for them. */
export const hookActions = (as: AutoScaling): Handlers<typeof sdk> => ({
  PutLifecycleHook: (input) => {
    put(as, input);
    return {};
  },
  DeleteLifecycleHook: ({ AutoScalingGroupName, LifecycleHookName = '' }) => {
    const group = getGroup(as, AutoScalingGroupName);
    if (!group.hooks.delete(LifecycleHookName))
      throw validationError(`No Lifecycle Hook found with name ${LifecycleHookName}`);
    return {};
  },
  DescribeLifecycleHooks: ({ AutoScalingGroupName, LifecycleHookNames }) => {
    const group = getGroup(as, AutoScalingGroupName);
    const hooks = [...group.hooks.values()].filter(
      ({ name }) => !LifecycleHookNames?.length || LifecycleHookNames.includes(name),
    );
    return { LifecycleHooks: hooks.map((hook) => view(group, hook)) };
  },
  DescribeLifecycleHookTypes: () => ({ LifecycleHookTypes: [LAUNCHING, TERMINATING] }),
  CompleteLifecycleAction: (input) => {
    const result = resultOf(input.LifecycleActionResult);
    findWait(getGroup(as, input.AutoScalingGroupName), input).result = result;
    return {};
  },
  RecordLifecycleActionHeartbeat: (input) => {
    const group = getGroup(as, input.AutoScalingGroupName);
    const wait = findWait(group, { ...input, LifecycleActionResult: undefined });
    const { heartbeatSeconds = 0 } = group.hooks.get(wait.hookName) ?? {};
    wait.until = as.now() + heartbeatSeconds * 1000;
    return {};
  },
});
