import type { ThrottledError } from '../errors.ts';
import type { Failure } from './payloads.ts';

/** Name and message of the error of a task. */
export interface FailureCause {
  name: string;
  message: string;
}

/** The name of errors that only AWS's rate limits cause: the task is late, but nothing is wrong. */
export const THROTTLED: ThrottledError['name'] = 'Throttled';

/**
 * The error that Step Functions caught, in readable form. A Lambda error's `Cause` is JSON with errorType and
 * errorMessage, and a stack, which is only for logs. Any other cause is text.
 */
export const causeOf = (failure: Failure | undefined): FailureCause => {
  const name = failure?.Error ?? 'Unknown';
  const cause = failure?.Cause ?? '';
  try {
    const parsed: unknown = JSON.parse(cause);
    if (parsed && typeof parsed === 'object' && 'errorMessage' in parsed) {
      return { name, message: String(parsed.errorMessage) };
    }
  } catch {
    // Not JSON: the text comes from Step Functions itself, for example after a timeout.
  }
  return { name, message: cause || 'no cause was given' };
};
