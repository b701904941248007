/** All single faults of a story: each kind at the first effect of each name that belongs to it. */
import type { Fault, FaultKind } from '../faults/kinds.ts';
import { ownSteps } from '../stories/story-names.ts';
import { faultsOf, type Played } from './jobs.ts';

export interface SingleChoice {
  kinds: readonly FaultKind[];
  /** At every effect instead of the first of each name. */
  isExhaustive: boolean;
}

/** `plain`: the lifecycle without a fault. */
export const singlesOf = (plain: Played, choice: SingleChoice): Fault[] => {
  const { begins, effects, job } = plain;
  const [first, next] = ownSteps(job.story, begins.length);
  return faultsOf(effects, { ...choice, range: [begins[first] ?? 0, begins[next] ?? effects.length] });
};
