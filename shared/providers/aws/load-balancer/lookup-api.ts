import { isNotFound } from '../../../aws/errors.ts';

/** What a lookup by name gives, or undefined where ELBv2 says that there is none. */
export const orAbsent = async <T>(lookup: () => Promise<T>): Promise<T | undefined> => {
  try {
    return await lookup();
  } catch (error) {
    if (isNotFound(error)) return undefined;
    throw error;
  }
};
