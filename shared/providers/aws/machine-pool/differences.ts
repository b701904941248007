import { isDeepStrictEqual } from 'node:util';
import type { DesiredGroup, GroupHook, LifecycleHookSpecification, ObservedGroup } from './model.ts';

const typesOf = ({ mixed }: ObservedGroup): string[] =>
  (mixed?.LaunchTemplate?.Overrides ?? []).flatMap(({ InstanceType }) => InstanceType ?? []);

/** If the pool does not configure the distribution, AWS's own counts. */
const mixedDiffers = (wanted: DesiredGroup, group: ObservedGroup): boolean => {
  if (!wanted.mixed || !group.mixed) return Boolean(wanted.mixed) !== Boolean(group.mixed);
  const { overrides, InstancesDistribution: distribution = {} } = wanted.mixed;
  const found: object = group.mixed.InstancesDistribution ?? {};
  const isOther = ([key, value]: [string, unknown]) => (found as Record<string, unknown>)[key] !== value;
  return !isDeepStrictEqual(overrides, typesOf(group)) || Object.entries(distribution).some(isOther);
};

/**
 * The differences of a group from its desired state, with the field's names. `templateId`: that of the pool's launch
 * template.
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

/** Whether a group has another warm pool than it is to have, or none, or one too many. */
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

/** Whether a lifecycle hook must be put. AWS chooses the values of omitted fields. */
const hooksDiffer = (wanted: LifecycleHookSpecification, found: GroupHook | undefined): boolean =>
  found === undefined || FIELDS.some((field) => wanted[field] !== undefined && wanted[field] !== found[field]);

/** The lifecycle hooks that must be put, and the names of those that must be deleted. */
export const hookDifferences = (
  wanted: readonly LifecycleHookSpecification[],
  hooks: readonly GroupHook[],
): { put: LifecycleHookSpecification[]; remove: string[] } => {
  const present = new Map(hooks.map((hook) => [hook.LifecycleHookName ?? '', hook]));
  const names = new Set(wanted.map(({ LifecycleHookName }) => LifecycleHookName));
  return {
    put: wanted.filter((hook) => hooksDiffer(hook, present.get(hook.LifecycleHookName ?? ''))),
    remove: [...present.keys()].filter((name) => name !== '' && !names.has(name)),
  };
};
