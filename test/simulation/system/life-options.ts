import type { Disturbances } from './disturbances/step.ts';
import type { Fault } from './faults/kinds.ts';
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
