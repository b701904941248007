/** Jobs and their results, which processes exchange. */
import { seededNumbers } from '../../../../shared/seeded-random.ts';
import type { Fault, FaultKind } from '../faults/kinds.ts';
import type { Life } from '../life.ts';
import type { LifeOptions } from '../life-options.ts';
import type { Branches } from './branches.ts';

type Assemblies = Pick<LifeOptions, 'outdir' | 'former'>;

/** Uses the assemblies of its share, unless it has its own. */
export type Job = Omit<LifeOptions, keyof Assemblies> & Partial<Assemblies>;

export interface Played extends Omit<Life, 'transcript'> {
  job: Job;
  /** The transcript, if there are violations or it was requested. */
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
  /** The states of the lifecycle without faults after each step, with which those of the jobs are compared. */
  settled?: readonly string[] | undefined;
  /** Single faults, each in a copy of the process that runs the only job. */
  branches?: Branches;
  /** Seeds of random changes, also each in a copy. */
  seeds?: readonly number[];
}

export interface FaultChoice {
  kinds: readonly FaultKind[];
  isExhaustive: boolean;
  /** The number of effects before the first selected one, and the number up to the last selected one. */
  range?: readonly [number, number];
}

/**
 * The single faults of a lifecycle whose effects are known: every kind at the first effect with each name, or at every
 * effect. Effects with the same name are the same operation in the same step of the same function.
 */
export const faultsOf = (effects: readonly string[], { kinds, isExhaustive, range }: FaultChoice): Fault[] => {
  const [from, to] = range ?? [0, effects.length];
  const numbers = effects.slice(from, to).flatMap((name, index) => {
    return isExhaustive || effects.indexOf(name, from) === from + index ? [from + index + 1] : [];
  });
  return numbers.flatMap((effect) => kinds.map((kind) => ({ effect, kind })));
};

/** Selects this many random faults among this many effects, in order. The result is reproducible by the seed. */
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

/** Part number `part` of `parts`; consecutive elements are in different parts. */
export const partOf = <T>(all: readonly T[], part: number, parts: number): T[] =>
  all.filter((_, index) => index % parts === part);
