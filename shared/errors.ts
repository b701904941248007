/**
 * Errors that cross a boundary, such as that of a Step Functions task or of the API. `name` is a literal, because Step
 * Functions matches it and bundlers rename classes. Storage errors carry no retry policy: a conflict means that a newer
 * version exists and that the caller must read again.
 */

/** How a failed Step Functions task is retried. The waits are `interval · backoff^n`, in seconds. */
export interface RetryPolicy {
  intervalSeconds: number;
  maxAttempts: number;
  backoffRate: number;
  maxDelaySeconds: number;
}

/**
 * AWS has throttled a call, or a call waits for its turn. The waits are 2, 4, 8, 16 and 32 s, then a minute each. With
 * jitter, the workflow gives up after about a quarter of an hour, in which AWS allows 2,000 launches.
 */
export class ThrottledError extends Error {
  override readonly name = 'Throttled';
}
/** A temporary fault: a 5xx error, a reset connection, or a dependency that another step is still creating. */
export class TransientError extends Error {
  override readonly name = 'Transient';
}
/** A limit of the account. An immediate retry cannot help; the pass reports it and retries later. */
export class QuotaExceededError extends Error {
  override readonly name = 'QuotaExceeded';
}
/**
 * The cloud has no capacity for the machine in the requested place at the moment. The launch is retried after a pause.
 */
export class CapacityUnavailableError extends Error {
  override readonly name = 'CapacityUnavailable';
}
/** AWS refused a request as invalid or not permitted. It keeps failing until a user changes something. */
export class RefusedError extends Error {
  override readonly name = 'Refused';
}
/** The key cannot encrypt or decrypt Secrets: it was disabled, deleted or replaced. */
export class SealError extends RefusedError {}
/** An object refers to an object that does not exist. */
export class MissingReferenceError extends Error {
  override readonly name = 'MissingReference';
}
/** The version to be replaced is not the newest. */
export class ConflictError extends Error {
  override readonly name = 'Conflict';
}
/** No such object. */
export class NotFoundError extends Error {
  override readonly name = 'NotFound';
}
/** An object with that name already exists. */
export class AlreadyExistsError extends Error {
  override readonly name = 'AlreadyExists';
}
/** The requested resourceVersion or continue token is too old. */
export class ExpiredError extends Error {
  override readonly name = 'Expired';
  /** A continue token with which the list can be continued all the same. */
  readonly continue: string | undefined;
  constructor(message: string, continueWith?: string) {
    super(message);
    this.continue = continueWith;
  }
}
/** The object is too large to be stored. */
export class TooLargeError extends Error {
  override readonly name = 'TooLarge';
}

/** When others use up a limit, only waiting helps. */
const PATIENT: RetryPolicy = { intervalSeconds: 2, maxAttempts: 40, backoffRate: 2, maxDelaySeconds: 60 };

/** One table for code and workflows: which error names a task retries, and how. Names not listed are not retried. */
export const RETRY_POLICIES: Readonly<Record<string, RetryPolicy>> = {
  Throttled: PATIENT,
  Transient: { intervalSeconds: 1, maxAttempts: 6, backoffRate: 2, maxDelaySeconds: 30 },
  Conflict: { intervalSeconds: 1, maxAttempts: 5, backoffRate: 1.5, maxDelaySeconds: 10 },
};

/**
 * Errors of Lambda and Step Functions themselves. The function was not invoked, because the account's concurrency is
 * used up or because Lambda is reconnecting the function to its VPC after weeks without an invocation; or it timed out
 * or crashed.
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
