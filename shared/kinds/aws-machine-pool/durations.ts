import { invalidValue, required } from '../../kube-api/field-error.ts';
import type { FieldError } from '../../kube-api/resource.ts';
import type { AWSMachinePoolSpec, LifecycleHook } from './schema.ts';

/** Rules for the times of an Auto Scaling group, which have Go's format for durations: `1h30m`, `300s`. */

const SECONDS: Readonly<Record<string, number>> = {
  ns: 1e-9,
  us: 1e-6,
  µs: 1e-6,
  ms: 1e-3,
  s: 1,
  m: 60,
  h: 3600,
};

/** The pattern can match digits in only one way. With two ways, a long row of them would take quadratic time. */
const DURATION = /^([+-]?)((?:(?:\d+(?:\.\d*)?|\.\d+)(?:ns|us|µs|ms|s|m|h))+|0)$/;
const PART = /(\d+(?:\.\d*)?|\.\d+)(ns|us|µs|ms|s|m|h)/g;

/** Seconds of a duration; undefined if it is invalid. */
export const secondsOf = (duration: string): number | undefined => {
  const [, sign, parts] = DURATION.exec(duration) ?? [];
  if (parts === undefined) return undefined;
  const sum = [...parts.matchAll(PART)].reduce(
    (total, [, n, unit = '']) => total + Number(n) * (SECONDS[unit] ?? 0),
    0,
  );
  return sign === '-' ? -sum : sum;
};

const validateDuration = (duration: string | undefined, field: string): FieldError[] =>
  duration === undefined || secondsOf(duration) !== undefined
    ? []
    : [invalidValue(field, duration, `time: invalid duration ${JSON.stringify(duration)}`)];

export const validateDurations = ({ defaultCoolDown, defaultInstanceWarmup }: AWSMachinePoolSpec): FieldError[] => [
  ...validateDuration(defaultCoolDown, 'spec.defaultCoolDown'),
  ...validateDuration(defaultInstanceWarmup, 'spec.defaultInstanceWarmup'),
  ...((secondsOf(defaultCoolDown ?? '0') ?? 0) < 0
    ? [required('spec.defaultCoolDown', 'DefaultCoolDown must be greater than zero')]
    : []),
];

const HEARTBEAT = { least: 30, most: 172800 };

const validateHook = (hook: LifecycleHook, field: string): FieldError[] => {
  const { name, notificationTargetARN: target, roleARN: role, heartbeatTimeout: heartbeat } = hook;
  const seconds = heartbeat === undefined ? undefined : secondsOf(heartbeat);
  const isOutside = seconds !== undefined && (seconds < HEARTBEAT.least || seconds > HEARTBEAT.most);
  const range = `HeartbeatTimeout must be between ${HEARTBEAT.least} and ${HEARTBEAT.most} seconds`;
  return [
    ...(name === '' ? [required(`${field}.name`, 'Name is required')] : []),
    ...(target !== undefined && role === undefined
      ? [required(`${field}.roleARN`, 'RoleARN is required if NotificationTargetARN is provided')]
      : []),
    ...(role !== undefined && target === undefined
      ? [required(`${field}.notificationTargetARN`, 'NotificationTargetARN is required if RoleARN is provided')]
      : []),
    ...validateDuration(heartbeat, `${field}.heartbeatTimeout`),
    ...(isOutside ? [invalidValue(`${field}.heartbeatTimeout`, heartbeat, range)] : []),
  ];
};

export const validateLifecycleHooks = (hooks: readonly LifecycleHook[] = []): FieldError[] =>
  hooks.flatMap((hook, index) => validateHook(hook, `spec.lifecycleHooks[${index}]`));
