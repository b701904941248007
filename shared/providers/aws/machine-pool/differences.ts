import { isDeepStrictEqual } from 'node:util';
import { OWN_HOOKS } from '../../../kinds/aws-machine-pool/hook-names.ts';
import { DISTRIBUTION } from './desired-group.ts';
import type { DesiredGroup, GroupHook, LifecycleHookSpecification, ObservedGroup } from './model.ts';

const typesOf = ({ mixed }: ObservedGroup): string[] =>
  (mixed?.LaunchTemplate?.Overrides ?? []).flatMap(({ InstanceType }) => InstanceType ?? []);

/** What AWS does not show has its default. */
const mixedDiffers = (wanted: DesiredGroup, group: ObservedGroup): boolean => {
  if (!wanted.mixed || !group.mixed) return Boolean(wanted.mixed) !== Boolean(group.mixed);
  const { overrides, InstancesDistribution: distribution = {} } = wanted.mixed;
  const found: object = { ...DISTRIBUTION, ...group.mixed.InstancesDistribution };
  const isOther = ([key, value]: [string, unknown]) => (found as Record<string, unknown>)[key] !== value;
  return !isDeepStrictEqual(overrides, typesOf(group)) || Object.entries(distribution).some(isOther);
};

/**
 * The differences of a group from its desired state, by field name. `templateId`: the id of the pool's launch template.
 */
export const groupDifferences = (wanted: DesiredGroup, group: ObservedGroup, templateId: string): string[] => {
  const differences: [string, boolean][] = [
    ['minimum size', wanted.minSize !== group.minSize],
    ['maximum size', wanted.maxSize !== group.maxSize],
    ['desired capacity', wanted.desired !== undefined && wanted.desired !== group.desired],
    ['subnets', !isDeepStrictEqual([...wanted.subnetIds], [...group.subnetIds].sort())],
    ['default cooldown', wanted.cooldown !== group.cooldown],
    ['default instance warmup', wanted.warmup !== group.warmup],
    ['capacity rebalancing', wanted.capacityRebalance !== group.capacityRebalance],
    ['protection from scale-in', wanted.protectsNew !== undefined && wanted.protectsNew !== group.protectsNew],
    ['mixed instances policy', mixedDiffers(wanted, group)],
    ['launch template', group.templateId !== templateId],
  ];
  return differences.flatMap(([name, differs]) => (differs ? [name] : []));
};

/** Whether a group's warm pool differs from the desired one, is missing, or should not exist. */
export const warmPoolDiffers = ({ warm: wanted }: DesiredGroup, { warm: found }: ObservedGroup): boolean => {
  if (wanted === undefined) return false;
  if (!wanted || !found) return Boolean(wanted) !== Boolean(found);
  const { status: _, ...settings } = found;
  return !isDeepStrictEqual(wanted, settings);
};

const FIELDS = [
  'LifecycleTransition',
  'NotificationTargetARN',
  'RoleARN',
  'HeartbeatTimeout',
  'DefaultResult',
  'NotificationMetadata',
] as const;

/** Fields of an existing hook that AWS keeps if a call omits them. */
const OPTIONAL = ['NotificationTargetARN', 'RoleARN', 'NotificationMetadata'] as const;

/**
 * Whether a hook still has a field that the pool no longer sets; others may have added fields to Windlass's own hooks.
 */
const hasLeftovers = (wanted: LifecycleHookSpecification, found: GroupHook | undefined): boolean =>
  !OWN_HOOKS.includes(wanted.LifecycleHookName) && OPTIONAL.some((field) => !wanted[field] && found?.[field]);

/** Whether a lifecycle hook must be put. AWS chooses the values of omitted fields. */
const hooksDiffer = (wanted: LifecycleHookSpecification, found: GroupHook | undefined): boolean =>
  found === undefined || FIELDS.some((field) => wanted[field] !== undefined && wanted[field] !== found[field]);

/**
 * The names of the lifecycle hooks that must be deleted, including some that are put again, and the hooks that must
 * then be put.
 */
export const hookDifferences = (
  wanted: readonly LifecycleHookSpecification[],
  hooks: readonly GroupHook[],
): { put: LifecycleHookSpecification[]; remove: string[] } => {
  const present = new Map(hooks.map((hook) => [hook.LifecycleHookName ?? '', hook]));
  const foundFor = ({ LifecycleHookName = '' }: LifecycleHookSpecification) => present.get(LifecycleHookName);
  const replaced = wanted.filter((hook) => hasLeftovers(hook, foundFor(hook)));
  const kept = new Set(
    wanted.filter((hook) => !replaced.includes(hook)).map(({ LifecycleHookName }) => LifecycleHookName),
  );
  return {
    put: wanted.filter((hook) => replaced.includes(hook) || hooksDiffer(hook, foundFor(hook))),
    remove: [...present.keys()].filter((name) => name !== '' && !kept.has(name)),
  };
};
