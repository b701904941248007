import type { Difference } from './conditions.ts';

/** A condition that differs from upstream's, with the reason. Texts are status, reason and message. */
export interface KnownDifference extends Difference {
  because: string;
}

/** A healthy cluster has none. Each entry here has a row in docs/compatibility.md as well. */
export const KNOWN_DIFFERENCES: readonly KnownDifference[] = [];
