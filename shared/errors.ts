/**
 * Errors that cross a boundary: a Step Functions task, the API. `name` is a literal, because Step Functions matches it
 * and bundlers rename classes. Storage errors carry no retry policy: a conflict means that a newer version exists and
 * the caller reads again.
 */

/** How a Step Functions task that failed with an error is tried again; the waits are `interval · backoff^n`, in seconds. */
export interface RetryPolicy {
  intervalSeconds: number;
  maxAttempts: number;
  backoffRate: number;
  maxDelaySeconds: number;
}

/**
 * AWS asked us to slow down, or a call waits for its turn. 2+4+8+16+32 s, then a minute each: with the jitter, the
 * workflow gives up after about a quarter of an hour, in which AWS allows 2,000 launches.
 */
export class ThrottledError extends Error {
  override readonly name = 'Throttled';
}
/** A fault that passes: 5xx, a reset connection, a dependency that another step is still making. */
export class TransientError extends Error {
  override readonly name = 'Transient';
}
/** A limit of the account. An immediate retry cannot help; the pass reports it and retries later. */
export class QuotaExceededError extends Error {
  override readonly name = 'QuotaExceeded';
}
/** The cloud has no capacity for the machine in the requested place now. The launch is retried after a pause. */
export class CapacityUnavailableError extends Error {
  override readonly name = 'CapacityUnavailable';
}
/** AWS refused a request as wrong or not permitted; only a change by a person helps. */
export class RefusedError extends Error {
  override readonly name = 'Refused';
}
/** The key cannot encrypt or decrypt Secrets: it was disabled, deleted or replaced by another one. */
export class SealError extends RefusedError {}
/** An object that another object names does not exist. */
export class MissingReferenceError extends Error {
  override readonly name = 'MissingReference';
}
/** The version that was to be replaced is not the newest. */
export class ConflictError extends Error {
  override readonly name = 'Conflict';
}
/** No such object. */
export class NotFoundError extends Error {
  override readonly name = 'NotFound';
}
/** An object of that name exists. */
export class AlreadyExistsError extends Error {
  override readonly name = 'AlreadyExists';
}
/** The requested resourceVersion or continue token is too old. */
export class ExpiredError extends Error {
  override readonly name = 'Expired';
  /** A continue token with which the list can nevertheless be continued. */
  readonly continue: string | undefined;
  constructor(message: string, continueWith?: string) {
    super(message);
    this.continue = continueWith;
  }
}
/** The object is too large to be kept. */
export class TooLargeError extends Error {
  override readonly name = 'TooLarge';
}

/** Without end: only waiting helps when others use up a limit. */
const PATIENT: RetryPolicy = { intervalSeconds: 2, maxAttempts: 40, backoffRate: 2, maxDelaySeconds: 60 };

/** One table for code and workflows: which error names a task retries, and how. Names not listed are not retried. */
export const RETRY_POLICIES: Readonly<Record<string, RetryPolicy>> = {
  Throttled: PATIENT,
  Transient: { intervalSeconds: 1, maxAttempts: 6, backoffRate: 2, maxDelaySeconds: 30 },
  Conflict: { intervalSeconds: 1, maxAttempts: 5, backoffRate: 1.5, maxDelaySeconds: 10 },
};

/**
 * Names that Lambda and Step Functions themselves report: the function was not invoked because the account's
 * concurrency is used up, or because Lambda connects it to its VPC again after weeks without an invocation; and it timed
 * out or crashed.
 */
export const LAMBDA_RETRY_POLICIES: readonly { errors: readonly string[]; policy: RetryPolicy }[] = [
  {
    errors: [
      'Lambda.TooManyRequestsException',
      'Lambda.ResourceNotReadyException',
      'Lambda.ResourceConflictException',
      'Lambda.ENINotReadyException',
      'Lambda.EC2ThrottledException',
    ],
    policy: PATIENT,
  },
  {
    errors: [
      'Lambda.ClientExecutionTimeoutException',
      'Lambda.ServiceException',
      'Lambda.AWSLambdaException',
      'Lambda.SdkClientException',
      'Lambda.EC2UnexpectedException',
      'Lambda.Unknown',
      'Runtime.ExitError',
      'Runtime.OutOfMemory',
      'Sandbox.Timedout',
      'States.Timeout',
    ],
    policy: { intervalSeconds: 2, maxAttempts: 6, backoffRate: 2, maxDelaySeconds: 60 },
  },
];
