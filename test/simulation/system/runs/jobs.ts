/** Jobs and their results; processes exchange both. */
import { seededNumbers } from '../../../../shared/seeded-random.ts';
import type { Fault, FaultKind } from '../faults/kinds.ts';
import type { Life, LifeOptions } from '../life.ts';
import type { Branches } from './branches.ts';

type Assemblies = Pick<LifeOptions, 'outdir' | 'former'>;

/** With the assemblies of its share, unless it has its own. */
export type Job = Omit<LifeOptions, keyof Assemblies> & Partial<Assemblies>;

export interface Played extends Omit<Life, 'transcript'> {
  job: Job;
  /** The transcript if something was violated, and if it was requested. */
  transcript?: readonly string[];
  processorSeconds: number;
}

/** The input of a process. */
export interface Share {
  outdir: string;
  former?: string | undefined;
  jobs: readonly Job[];
  withTranscript: boolean;
  /** The states in the middle of steps are recorded. */
  isRecorded?: boolean;
  /** Single faults, each in a copy of the process that runs the one job. */
  branches?: Branches;
  /** Of random changes, each in a copy as well. */
  seeds?: readonly number[];
}

export interface FaultChoice {
  kinds: readonly FaultKind[];
  isExhaustive: boolean;
  /** How many effects precede the first selected one, and the first after them. */
  range?: readonly [number, number];
}

/**
 * The single faults of a lifecycle whose effects are known: every kind at the first effect of each name, or at every
 * effect. Effects of one name are those of one operation in one step of one function.
 */
export const faultsOf = (effects: readonly string[], { kinds, isExhaustive, range }: FaultChoice): Fault[] => {
  const [from, to] = range ?? [0, effects.length];
  const numbers = effects.slice(from, to).flatMap((name, index) => {
    return isExhaustive || effects.indexOf(name, from) === from + index ? [from + index + 1] : [];
  });
  return numbers.flatMap((effect) => kinds.map((kind) => ({ effect, kind })));
};

/** This many random faults among this many effects, in order; the same for the same seed. */
export const stormOf = (
  seed: number,
  { effects, faults, kinds }: { effects: number; faults: number; kinds: readonly FaultKind[] },
): Fault[] => {
  const next = seededNumbers(seed);
  const below = (sides: number): number => Math.floor(next() * sides);
  return Array.from({ length: faults }, (): Fault => {
    return { effect: 1 + below(effects), kind: kinds[below(kinds.length)] ?? 'dies before' };
  }).toSorted((a, b) => Number(a.effect) - Number(b.effect));
};

/** `part` of `parts`, spread evenly over all: neighbours go to different parts. */
export const partOf = <T>(all: readonly T[], part: number, parts: number): T[] =>
  all.filter((_, index) => index % parts === part);
