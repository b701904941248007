import { judged } from './stories/judged.ts';
import { bare, chained, pauses, pools, rke2 } from './stories/life.ts';
import { checks, metadata, naming, placement } from './stories/machines.ts';
import { OF_UPSTREAM } from './stories/upstream.ts';
import { arrays, values } from './stories/variables.ts';
import type { Story } from './story.ts';

/** Stories with machines come first, because they take longest. */
export const STORIES: readonly Story[] = [
  judged,
  chained,
  placement,
  checks,
  naming,
  metadata,
  values,
  arrays,
  pools,
  pauses,
  bare,
  rke2,
  ...OF_UPSTREAM,
];
