import { isNotFound } from '../../../aws/errors.ts';

/** The result of a lookup by name; undefined if ELBv2 reports that there is none. */
export const orAbsent = async <T>(lookup: () => Promise<T>): Promise<T | undefined> => {
  try {
    return await lookup();
  } catch (error) {
    if (isNotFound(error)) return undefined;
    throw error;
  }
};
