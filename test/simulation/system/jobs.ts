/** What is to be played, and what came of it; processes hand both to each other. */
import { FAULT_KINDS, type Fault, type FaultKind } from './faults.ts';
import type { Life, LifeOptions } from './life.ts';

export type Job = Omit<LifeOptions, 'outdir'>;

export interface Played extends Omit<Life, 'transcript'> {
  job: Job;
  /** Where something was breached, and where it was asked for. */
  transcript?: readonly string[];
  processorSeconds: number;
}

/** What a process is started with. */
export interface Share {
  outdir: string;
  jobs: readonly Job[];
  withTranscript: boolean;
}

/**
 * The faults of a life whose effects are known: every kind at the first effect of each name, or at every effect. Effects of
 * one name are those of one operation in one step of one function.
 */
export const faultsOf = (effects: readonly string[], { isExhaustive }: { isExhaustive: boolean }): Fault[] => {
  const numbers = effects.flatMap((name, index) => {
    return isExhaustive || effects.indexOf(name) === index ? [index + 1] : [];
  });
  return numbers.flatMap((effect) => FAULT_KINDS.map((kind: FaultKind) => ({ effect, kind })));
};

/** `part` of `parts`, spread evenly over all: neighbours go to different parts. */
export const partOf = <T>(all: readonly T[], part: number, parts: number): T[] =>
  all.filter((_, index) => index % parts === part);
