import type { Disturbances } from './disturbances/step.ts';
import type { Fault } from './faults/kinds.ts';
import type { Brancher } from './runs/branches.ts';
import type { Expected } from './states/rejoin.ts';
import type { StoryName } from './stories/story-names.ts';
import type { Sizes } from './user.ts';

/** What one lifecycle consists of. */
export interface LifeOptions {
  seed: number;
  story: StoryName;
  sizes: Sizes;
  faults?: readonly Fault[];
  /** After each step, a sweep runs that must find nothing to do; only for lifecycles without faults. */
  isSwept?: boolean;
  /** Random changes after the start of the story, instead of the rest of it. */
  disturbances?: Disturbances;
  /** The cloud assembly. */
  outdir: string;
  /** The cloud assembly that runs until the fault `deployment` deploys `outdir`. */
  former?: string | undefined;
}

/** Copies of the process, each of which continues with a different fault. */
export interface Branching {
  brancher: Brancher;
  /** The lifecycle without faults. */
  expected: Expected;
}

/** Settings that do not belong to the lifecycle itself. */
export interface Setting {
  branching?: Branching | undefined;
  /** The states of this lifecycle are recorded, so that lifecycles with faults can be compared with them. */
  isRecorded?: boolean;
  /** The states of the lifecycle without faults, if this one is not a copy. */
  settled?: readonly string[] | undefined;
}
