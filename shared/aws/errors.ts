import { isThrottlingError } from '@smithy/core/retry';
import { describeError } from '../decode/describe-error.ts';
import {
  CapacityUnavailableError,
  QuotaExceededError,
  RETRY_POLICIES,
  RefusedError,
  ThrottledError,
  TransientError,
} from '../errors.ts';

/**
 * The meaning of AWS's error codes; no other file knows them. The SDK sets the name of an error to the code on the
 * wire. For modelled errors it appends `Exception` (ELBv2, DynamoDB, Step Functions) or `Fault` (Auto Scaling). All
 * forms are treated alike.
 */

interface ServiceError extends Error {
  $metadata: { httpStatusCode?: number; requestId?: string; attempts?: number };
}

type SdkError = Parameters<typeof isThrottlingError>[0];

const isServiceError = (error: unknown): error is ServiceError =>
  error instanceof Error && '$metadata' in error && typeof error.$metadata === 'object' && error.$metadata !== null;

/** The AWS error code without a trailing `Exception` or `Fault`; undefined if the error is not a response of AWS. */
export const awsCodeOf = (error: unknown): string | undefined =>
  isServiceError(error) ? error.name.replace(/(Exception|Fault)$/, '') : undefined;

const hasCode =
  (...codes: string[]) =>
  (error: unknown): boolean =>
    codes.includes(awsCodeOf(error) ?? '');

const matches = (pattern: RegExp) => (error: unknown) => pattern.test(awsCodeOf(error) ?? '');

/** The resource does not exist or is not visible yet. Right after a creation it means "unknown", never "absent". */
export const isNotFound = matches(/(NotFound|\.Unknown)$|^InvalidAllocationID\.NotFound$|^NatGatewayNotFound$/);

/** The error that some endpoints return for a load balancer without target groups. Others return an empty list. */
export const isNoTargetGroup = hasCode('TargetGroupNotFound');

/** Something still uses the resource. */
export const isDependencyViolation = hasCode(
  'DependencyViolation',
  'ResourceInUse',
  // Auto Scaling has not finished an earlier change of the group.
  'ScalingActivityInProgress',
  'InvalidGroup.InUse',
  'InvalidIPAddress.InUse',
  'VolumeInUse',
  'Resource.AlreadyAssociated',
  // DetachInternetGateway while an address is mapped into the VPC answers with this code or with DependencyViolation.
  'OperationNotPermitted',
);

/** What the request would create already exists. */
export const isAlreadyExists = hasCode(
  'InvalidGroup.Duplicate',
  'InvalidPermission.Duplicate',
  'RouteAlreadyExists',
  'Resource.AlreadyAssociated',
  'DuplicateLoadBalancerName',
  'DuplicateAccessPointName',
  'DuplicateTargetGroupName',
  'DuplicateListener',
  'DuplicatePolicyName',
  'EntityAlreadyExists',
  'ResourceExists',
  'ParameterAlreadyExists',
);

/**
 * The subnet overlaps an existing one. A retried CreateSubnet gets this error if the response to the first attempt was
 * lost.
 */
export const isSubnetConflict = hasCode('InvalidSubnet.Conflict');

/** The gateway is not attached, or no longer attached. */
export const isNotAttached = hasCode('Gateway.NotAttached');

/** There is no such bucket. S3 has its own error codes. */
export const isNoBucket = hasCode('NoSuchBucket');

/** CreateBucket: the caller's account already has the bucket. S3 says so in all regions but us-east-1. */
export const isBucketOurs = hasCode('BucketAlreadyOwnedByYou');

/** The bucket has no tags. */
export const isNoTagSet = hasCode('NoSuchTagSet');

/** The bucket contains objects. */
export const isBucketNotEmpty = hasCode('BucketNotEmpty');

/**
 * The region's S3 creates no bucket with tags, as in the European Sovereign Cloud (hashicorp/terraform-provider-aws,
 * issue 45684). Services that are compatible with S3 give the second code (issue 47061).
 */
export const isUntaggableBucket = hasCode('UnsupportedArgument', 'MalformedXML');

/** The bucket is in another region, or no bucket can have the name. */
export const isNoSuchPlace = hasCode('PermanentRedirect', 'AuthorizationHeaderMalformed', 'InvalidBucketName');

/** A missing permission. The last code is EC2's. */
export const isDenied = hasCode('AccessDenied', 'Forbidden', 'UnauthorizedOperation');

/** Throttling codes that are not in the SDK's own list. */
const isThrottlingBeyondSdk = hasCode(
  'ThrottledError',
  // Our own code: a call that was not made because it waits for its turn. The SDK adds its metadata to thrown errors.
  'Throttled',
  'TooManyRequests',
  'ProvisionedThroughputExceeded',
  'ExecutionLimitExceeded',
  'LimitExceeded.Throttling',
  // Classic Load Balancing is throttled by a service behind it.
  'DependencyThrottle',
  // Systems Manager is changing the parameter for another call.
  'TooManyUpdates',
);

/**
 * AWS throttles requests. These are the SDK's codes without `LimitExceededException`: the SDK retries it, but for the
 * services that are called here it means a quota, which does not change by waiting.
 */
export const isThrottling = (error: unknown): boolean =>
  isServiceError(error) &&
  (isThrottlingBeyondSdk(error) || (isThrottlingError(error as SdkError) && awsCodeOf(error) !== 'LimitExceeded'));

/**
 * There is no capacity for machines of that type in that place at the moment. Another place or type may have some. EC2
 * has created nothing.
 */
export const isCapacityUnavailable = hasCode(
  'InsufficientInstanceCapacity',
  'InsufficientHostCapacity',
  'InsufficientReservedInstanceCapacity',
  'InsufficientCapacity',
  'InsufficientCapacityOnHost',
  'InsufficientFreeAddressesInSubnet',
  'MaxSpotInstanceCountExceeded',
  'ReservationCapacityExceeded',
  'SpotMaxPriceTooLow',
  'UnfulfillableCapacity',
  // The zone does not offer the instance type. RunInstances has no separate code for this.
  'Unsupported',
);

/** The resource has too many tags. Only fewer tags help. */
const hasTooManyTags = hasCode('TagLimitExceeded', 'TooManyTags');

/** A limit of the account is reached. Only a higher limit or a deletion helps. */
export const isQuotaExceeded = (error: unknown): boolean =>
  !isThrottling(error) &&
  !hasTooManyTags(error) &&
  (matches(/Limit(Exceeded)?$|^TooMany/)(error) ||
    hasCode('InsufficientFreeAddressesInSubnet', 'MaxSpotInstanceCountExceeded')(error));

const NETWORK_CODES = new Set([
  'ECONNRESET',
  'ECONNREFUSED',
  'ECONNABORTED',
  'EPIPE',
  'ETIMEDOUT',
  'EHOSTUNREACH',
  'ENETUNREACH',
  'ENOTFOUND',
  'EAI_AGAIN',
  'UND_ERR_SOCKET',
]);

const isNetworkFault = (error: unknown): boolean =>
  error instanceof Error &&
  (error.name === 'TimeoutError' ||
    ('code' in error && typeof error.code === 'string' && NETWORK_CODES.has(error.code)));

/** A fault of the service or of the network. The outcome is unknown, and the same request may be sent again. */
export const isServerFault = (error: unknown): boolean =>
  isNetworkFault(error) ||
  hasCode('InternalError', 'InternalFailure', 'InternalServerError', 'ServiceUnavailable', 'Unavailable')(error) ||
  hasCode('RequestTimeout', 'IncorrectState', 'TransactionInProgress')(error) ||
  (isServiceError(error) && (error.$metadata.httpStatusCode ?? 0) >= 500);

/**
 * The address cannot be associated yet, because not all of EC2 knows yet that the instance is running. The code alone
 * is ambiguous.
 */
export const isInstanceNotReady = (error: unknown): boolean =>
  hasCode('InvalidInstanceID', 'IncorrectInstanceState')(error) &&
  /not in a valid state/.test((error as Error).message);

/**
 * Nothing was created: another call is changing the same resource, or a recent change has not propagated everywhere
 * yet.
 */
const isTooEarly = hasCode('OperationAborted', 'ConcurrentTagAccess', 'NoSuchBucket', 'IncorrectInstanceState');

/** Something that a user has named does not exist: absent means wrong, not "not yet". */
export const isUserNamedAbsence = hasCode(
  'InvalidAMIID.NotFound',
  'InvalidKeyPair.NotFound',
  'InvalidSnapshot.NotFound',
  'CertificateNotFound',
);

/**
 * The request is invalid or not permitted, until a user changes something. EC2 reports expired credentials as
 * RequestExpired; a clock that is wrong, which has the same code, is corrected by the SDK.
 */
export const isRefusal = (error: unknown): boolean =>
  isUserNamedAbsence(error) ||
  hasTooManyTags(error) ||
  (!isNotFound(error) &&
    matches(
      /^(BucketAlready|IllegalLocation|PermanentRedirect|AuthorizationHeaderMalformed|UnauthorizedOperation|Unauthorized|AccessDenied|AuthFailure|OptInRequired|ExpiredToken|RequestExpired|Invalid|Missing|Validation|Malformed|Unsupported|Unrecognized|IdempotentParameterMismatch|UnknownParameter|OperationNotPermitted)/,
    )(error));

/** The answer to a request with the client token of an instance that was terminated. Another token helps. */
export const isSpentToken = hasCode('IdempotentInstanceTerminated');

/** Answers that do not show a permanent failure: a later request may succeed, or another run has already made this one. */
const PASSING: readonly ((error: unknown) => boolean)[] = [
  isThrottling,
  isServerFault,
  isTooEarly,
  isNotFound,
  isDependencyViolation,
  isAlreadyExists,
  isSubnetConflict,
  isNotAttached,
  isSpentToken,
];

/** An answer with a 4xx status and a code that has no other meaning here. */
const isUnknownRejection = (error: unknown): boolean => {
  if (!isServiceError(error)) return false;
  const { httpStatusCode: status = 0 } = error.$metadata;
  return status >= 400 && status < 500 && !PASSING.some((isPassing) => isPassing(error));
};

/**
 * AWS rejects the request until something else changes: refusals, exceeded quotas, and every other code of a 4xx answer
 * that is not known to pass. Includes OperationNotPermitted, which can also mean a dependency, and a lack of capacity.
 */
export const isPermanent = (error: unknown): boolean =>
  isRefusal(error) || isQuotaExceeded(error) || isUnknownRejection(error);

/** KMS: the key is disabled or pending deletion. */
const isKeyDisabled = hasCode('Disabled', 'KMSInvalidState');

/**
 * A key of KMS that cannot be used until a user changes something. Keys are visible at once, so an absent key is never
 * one that is "not there yet".
 */
export const isKeyUnusable = (error: unknown): boolean => isNotFound(error) || isRefusal(error) || isKeyDisabled(error);

/** A response of AWS that proves that nothing was created, by any of several attempts. */
export const madeNothing = (error: unknown): boolean => {
  if (!isServiceError(error) || isServerFault(error)) return false;
  const { attempts } = error.$metadata;
  return (attempts ?? 1) === 1;
};

/** `<code>: <message> (request <id>)`, the form of AWS errors in conditions, events and Step Functions. */
export const describeAwsError = (error: unknown): string => {
  if (!isServiceError(error)) return describeError(error).reason;
  const request = error.$metadata.requestId ? ` (request ${error.$metadata.requestId})` : '';
  return `${awsCodeOf(error)}: ${error.message}${request}`;
};

/**
 * The error class of shared/errors.ts for an error of the SDK, with the AWS code and the request id in the message and
 * the original as `cause`. A 4xx answer with an unknown code is a refusal. An unrecognized error is returned unchanged.
 */
export const translateAwsError = (error: unknown): unknown => {
  const options = { cause: error };
  if (isThrottling(error)) return new ThrottledError(describeAwsError(error), options);
  // This comes before server faults, because EC2 returns some of these with a 500.
  if (
    /^(Insufficient(Instance|Host|ReservedInstance)Capacity|UnfulfillableCapacity|SpotMaxPriceTooLow)$/.test(
      awsCodeOf(error) ?? '',
    )
  )
    return new CapacityUnavailableError(describeAwsError(error), options);
  if (isServerFault(error) || isTooEarly(error)) return new TransientError(describeAwsError(error), options);
  if (isQuotaExceeded(error)) return new QuotaExceededError(describeAwsError(error), options);
  if (isDependencyViolation(error)) return new TransientError(describeAwsError(error), options);
  if (isRefusal(error) || isKeyDisabled(error)) return new RefusedError(describeAwsError(error), options);
  if (isNotFound(error)) return new TransientError(describeAwsError(error), options);
  if (isUnknownRejection(error)) return new RefusedError(describeAwsError(error), options);
  return error;
};

/** Whether the workflows retry a step that has failed with this error. */
export const isRetried = (error: unknown): boolean => {
  const translated = translateAwsError(error);
  return translated instanceof Error && translated.name in RETRY_POLICIES;
};
