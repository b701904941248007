import { RE2JS } from 're2js';
import { CelError } from './value.ts';

/**
 * Compiles a tenant's regular expression. RE2 matches in linear time; JavaScript's own engine could keep a function
 * busy for minutes.
 */
export const compileRegex = (pattern: string): RE2JS => {
  try {
    return RE2JS.compile(pattern);
  } catch (error) {
    if (error instanceof Error) throw new CelError(error.message);
    throw error;
  }
};
