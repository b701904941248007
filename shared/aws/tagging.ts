import { isDenied } from './errors.ts';

/**
 * Makes a call that also tags what it creates, or the same call without these tags if the caller may not tag: the role
 * of an identity may be older than the tags. If it may not make the call at all, throws the first error.
 * `isUnsupported`: whether the service takes no such tags; then the call is made without them, too.
 */
export const taggedIfPermitted = async <T>(
  withTags: () => Promise<T>,
  without: () => Promise<T>,
  isUnsupported: (error: unknown) => boolean = () => false,
): Promise<T> => {
  try {
    return await withTags();
  } catch (refusal) {
    if (isUnsupported(refusal)) return without();
    if (!isDenied(refusal)) throw refusal;
    try {
      return await without();
    } catch (error) {
      throw isDenied(error) ? refusal : error;
    }
  }
};
