/** Decides which test files of the conformance suites run, and which have already passed in their current state. */

import type { Request } from './request.ts';
import { hashOf, type Ingredients, type Stamps } from './stamps.ts';
import { type Suite, suiteOf } from './suites.ts';

export interface Run {
  file: string;
  suite: Suite;
}

export interface Skipped extends Run {
  hash: string;
  /** The number of tests that passed. */
  tests: number;
}

/** The selected test files with their suites. */
export const filesMeant = (
  files: readonly string[],
  { filters, api }: Pick<Request, 'filters' | 'api'>,
  suites?: Readonly<Record<string, Suite>>,
): Run[] =>
  files
    .filter((file) => filters.length === 0 || filters.some((part) => file.includes(part)))
    .map((file) => ({ file, suite: suiteOf(file, suites) }))
    .filter(({ suite }) => !api || suite.api);

/** Everything that determines the result of the tests of one file; see Ingredients. */
export type IngredientsOf = (run: Run) => Ingredients;

export interface Plan {
  run: (Run & { hash: string })[];
  skipped: Skipped[];
}

/** Leaves out files that have passed with exactly these ingredients, unless everything should run. */
export const planRuns = (
  root: string,
  meant: readonly Run[],
  ingredientsOf: IngredientsOf,
  stamps: Stamps,
  everything: boolean,
): Plan => {
  const plan: Plan = { run: [], skipped: [] };
  for (const one of meant) {
    const hash = hashOf(root, ingredientsOf(one));
    const tests = everything ? undefined : stamps.find(one.file, hash);
    if (tests === undefined) plan.run.push({ ...one, hash });
    else plan.skipped.push({ ...one, hash, tests });
  }
  return plan;
};
