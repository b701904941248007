import { isDenied } from './errors.ts';

/**
 * Makes a call that also tags what it creates, or the same call without these tags if the caller may not tag: the role
 * of an identity may be older than the tags. If it may not make the call at all, throws the first error.
 */
export const taggedIfPermitted = async <T>(withTags: () => Promise<T>, without: () => Promise<T>): Promise<T> => {
  try {
    return await withTags();
  } catch (denial) {
    if (!isDenied(denial)) throw denial;
    try {
      return await without();
    } catch (error) {
      throw isDenied(error) ? denial : error;
    }
  }
};
