import { RE2JS } from 're2js';
import { CelError } from './value.ts';

/**
 * Regular expressions of tenants, in RE2's syntax and with its linear time: JavaScript's own could keep a function busy
 * for minutes.
 */
export const compileRegex = (pattern: string): RE2JS => {
  try {
    return RE2JS.compile(pattern);
  } catch (error) {
    if (error instanceof Error) throw new CelError(error.message);
    throw error;
  }
};
