import type * as sdk from '@aws-sdk/client-auto-scaling';
import { onlySimulated } from '../../wire/fault.ts';
import { LAUNCHING, TERMINATING } from '../hooks.ts';
import type { Hook } from '../records.ts';
import { validationError } from '../state.ts';

const KNOWN = [
  'AutoScalingGroupName',
  'LifecycleHookName',
  'LifecycleTransition',
  'NotificationTargetARN',
  'RoleARN',
  'NotificationMetadata',
  'HeartbeatTimeout',
  'DefaultResult',
];

const resultOf = (given: string | undefined): Hook['defaultResult'] => {
  if (given === undefined || given === 'ABANDON') return 'ABANDON';
  if (given === 'CONTINUE') return given;
  throw validationError('Lifecycle Action Result must be one of CONTINUE or ABANDON');
};

const checkHook = (hook: Hook): void => {
  if (!/^[A-Za-z0-9\-_/]{1,255}$/.test(hook.name))
    throw validationError('LifecycleHookName must have 1 to 255 letters, digits, hyphens, underscores and slashes.');
  if (hook.transition !== LAUNCHING && hook.transition !== TERMINATING)
    throw validationError(`LifecycleTransition must be one of ${LAUNCHING} or ${TERMINATING}`);
  if (hook.heartbeatSeconds < 30 || hook.heartbeatSeconds > 7200)
    throw validationError('HeartbeatTimeout must be between 30 and 7200 seconds, inclusive.');
};

/** The hook in a call; if one with this name exists, its values are used for omitted fields. */
export const readHook = (
  input: Partial<sdk.PutLifecycleHookType> | sdk.LifecycleHookSpecification,
  before: Hook | undefined,
): Hook => {
  onlySimulated('autoscaling:PutLifecycleHook', input, KNOWN);
  const hook: Hook = {
    name: input.LifecycleHookName ?? '',
    transition: input.LifecycleTransition ?? before?.transition ?? '',
    targetArn: input.NotificationTargetARN ?? before?.targetArn,
    roleArn: input.RoleARN ?? before?.roleArn,
    metadata: input.NotificationMetadata ?? before?.metadata,
    heartbeatSeconds: input.HeartbeatTimeout ?? before?.heartbeatSeconds ?? 3600,
    defaultResult: resultOf(input.DefaultResult ?? before?.defaultResult),
  };
  checkHook(hook);
  return hook;
};
