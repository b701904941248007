import { isDeepStrictEqual } from 'node:util';
import { forbiddenField } from '../../kube-api/field-error.ts';
import type { FieldError } from '../../kube-api/resource.ts';
import type { AWSMachinePoolSpec, LifecycleHook } from './schema.ts';

/** The hook that makes instances wait until their nodes are drained before they leave a group. */
export const DRAIN_HOOK = 'windlass-drain';

/** The hook that gives an instance of a warm pool time to prepare itself before it is stopped. */
export const PREPARE_HOOK = 'windlass-prepare';

/** Windlass's own lifecycle hooks. */
export const OWN_HOOKS: readonly (string | undefined)[] = [DRAIN_HOOK, PREPARE_HOOK];

const isRepeated = (hooks: readonly LifecycleHook[], index: number): boolean =>
  hooks.findIndex(({ name }) => name === hooks[index]?.name) < index;

/** A pool's hooks without those that admission refuses, which an earlier version may have stored. */
export const distinctHooks = ({ lifecycleHooks: hooks = [] }: Pick<AWSMachinePoolSpec, 'lifecycleHooks'>) =>
  hooks.filter(({ name }, index) => !OWN_HOOKS.includes(name) && !isRepeated(hooks, index));

/** A hook is identified by its name. Hooks from an earlier version are accepted. */
export const validateHookNames = (
  { lifecycleHooks: hooks = [] }: AWSMachinePoolSpec,
  old: AWSMachinePoolSpec | undefined,
): FieldError[] => {
  if (isDeepStrictEqual(hooks, old?.lifecycleHooks)) return [];
  return hooks.flatMap(({ name }, index): FieldError[] => {
    const field = `spec.lifecycleHooks[${index}].name`;
    if (OWN_HOOKS.includes(name)) return [forbiddenField(field, `${name} is a hook of Windlass`)];
    return isRepeated(hooks, index) ? [{ type: 'FieldValueDuplicate', field, badValue: name, detail: '' }] : [];
  });
};
