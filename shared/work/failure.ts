import type { ThrottledError } from '../errors.ts';
import type { Failure } from './payloads.ts';

/** Name and message of the error of a task. */
export interface FailureCause {
  name: string;
  message: string;
}

/** The name of an error caused only by AWS's rate limits: the task is late, but nothing is wrong. */
export const THROTTLED: ThrottledError['name'] = 'Throttled';

/**
 * What Step Functions caught, in readable form: a Lambda error's `Cause` is JSON with errorType and errorMessage (and a
 * stack, which is for logs), everything else is text.
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
    // Not JSON: Step Functions' own text, such as that of a timeout.
  }
  return { name, message: cause || 'no cause was given' };
};
