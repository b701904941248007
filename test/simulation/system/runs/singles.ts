/** All single faults of a story: each kind at the first effect with each name in the story's own steps. */
import type { Fault, FaultKind } from '../faults/kinds.ts';
import { ownSteps } from '../stories/story-names.ts';
import { faultsOf, type Played } from './jobs.ts';

export interface SingleChoice {
  kinds: readonly FaultKind[];
  /** Selects every effect instead of the first with each name. */
  isExhaustive: boolean;
}

/** `plain` is the lifecycle without faults. */
export const singlesOf = (plain: Played, choice: SingleChoice): Fault[] => {
  const { begins, effects, job } = plain;
  const [first, next] = ownSteps(job.story, begins.length);
  return faultsOf(effects, { ...choice, range: [begins[first] ?? 0, begins[next] ?? effects.length] });
};
