import type { RE2JS } from 're2js';
import { recentPattern } from '../recent-patterns.ts';
import { CelError } from './value.ts';

/** Compiles a tenant's regular expression. Throws CelError for an invalid one. */
export const compileRegex = (pattern: string): RE2JS => {
  try {
    return recentPattern(pattern);
  } catch (error) {
    if (error instanceof Error) throw new CelError(error.message);
    throw error;
  }
};
