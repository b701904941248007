import type { CelValue } from '../value.ts';
import { coreFunctions } from './core.ts';
import type { CelFunction, Run } from './define.ts';
import { formatFunctions } from './format.ts';
import { listFunctions } from './lists.ts';
import { networkFunctions } from './network.ts';
import { optionalFunctions } from './optional.ts';
import { quantityFunctions } from './quantity.ts';
import { semverFunctions } from './semver.ts';
import { stringFunctions } from './strings.ts';
import { timeFunctions } from './time.ts';
import { urlFunctions } from './url.ts';

/** All functions that rules can call. */
const FUNCTIONS: readonly CelFunction[] = [
  ...coreFunctions,
  ...stringFunctions,
  ...listFunctions,
  ...timeFunctions,
  ...optionalFunctions,
  ...quantityFunctions,
  ...networkFunctions,
  ...urlFunctions,
  ...formatFunctions,
  ...semverFunctions,
];

const byName = new Map<string, Run[]>();
for (const { name, run } of FUNCTIONS) byName.set(name, [...(byName.get(name) ?? []), run]);

/**
 * Calls a function; the first argument of a method is its receiver. Returns undefined if no overload accepts the
 * arguments.
 */
export const call = (name: string, args: readonly CelValue[]): CelValue | undefined => {
  for (const run of byName.get(name) ?? []) {
    const value = run(...args);
    if (value !== undefined) return value;
  }
  return undefined;
};
