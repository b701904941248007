import type { Finding } from './scenario.ts';

/** A difference that stays, with its reason: a row of docs/compatibility.md. */
export interface KnownDifference {
  here: string;
  upstream: string;
  because: string;
  covers(finding: Finding): boolean;
}

export const KNOWN_DIFFERENCES: readonly KnownDifference[] = [];
