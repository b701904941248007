import type { Finding } from './scenario.ts';

/** A permanent difference and its reason: a row of docs/compatibility.md, word for word. */
export interface KnownDifference {
  here: string;
  upstream: string;
  because: string;
  covers(finding: Finding): boolean;
}

export const text = (value: unknown): string => (typeof value === 'string' ? value : '');

/** The path of a refusal's message, or of its message about one field. */
export const MESSAGE = /^body\.(message|details\.causes\[\d+\]\.message)$/;
