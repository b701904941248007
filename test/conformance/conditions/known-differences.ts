import type { Difference } from './conditions.ts';

/** A condition that is not as upstream has it, with the reason. Texts are status, reason and message. */
export interface KnownDifference extends Difference {
  because: string;
}

/** None of a healthy cluster differs. What is put here has a row in docs/compatibility.md as well. */
export const KNOWN_DIFFERENCES: readonly KnownDifference[] = [];
