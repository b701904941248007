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
 * What AWS error codes mean to us; the only file that knows them. The SDK gives an error the wire code as its name,
 * or, for a modelled error, the code with `Exception` (ELBv2, DynamoDB, Step Functions) or `Fault` (Auto Scaling) behind
 * it: all are read alike.
 */

interface ServiceError extends Error {
  $metadata: { httpStatusCode?: number; requestId?: string; attempts?: number };
}

type SdkError = Parameters<typeof isThrottlingError>[0];

const isServiceError = (error: unknown): error is ServiceError =>
  error instanceof Error && '$metadata' in error && typeof error.$metadata === 'object' && error.$metadata !== null;

/** The AWS error code without a trailing `Exception` or `Fault`, or undefined if the error is not an answer of AWS. */
export const awsCodeOf = (error: unknown): string | undefined =>
  isServiceError(error) ? error.name.replace(/(Exception|Fault)$/, '') : undefined;

const hasCode =
  (...codes: string[]) =>
  (error: unknown): boolean =>
    codes.includes(awsCodeOf(error) ?? '');

const matches = (pattern: RegExp) => (error: unknown) => pattern.test(awsCodeOf(error) ?? '');

/** The named resource is not there, or not visible yet: right after a create it means "unknown", never "absent". */
export const isNotFound = matches(/(NotFound|\.Unknown)$|^InvalidAllocationID\.NotFound$|^NatGatewayNotFound$/);

/** The error of some endpoints for a load balancer without target groups; others return an empty list. */
export const isNoTargetGroup = hasCode('TargetGroupNotFound');

/** Something still uses the resource. */
export const isDependencyViolation = hasCode(
  'DependencyViolation',
  'ResourceInUse',
  'InvalidGroup.InUse',
  'InvalidIPAddress.InUse',
  'VolumeInUse',
  'Resource.AlreadyAssociated',
  // DetachInternetGateway while an address is mapped into the VPC answers with this code or with DependencyViolation.
  'OperationNotPermitted',
);

/** What the request would make exists already. */
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

/** A subnet whose range overlaps an existing one: the result of a retried CreateSubnet after a lost answer. */
export const isSubnetConflict = hasCode('InvalidSubnet.Conflict');

/** The gateway is not attached, or no longer. */
export const isNotAttached = hasCode('Gateway.NotAttached');

/** There is no such bucket. S3 has codes of its own. */
export const isNoBucket = hasCode('NoSuchBucket');

/** The bucket has no tags. */
export const isNoTagSet = hasCode('NoSuchTagSet');

/** The bucket holds objects. */
export const isBucketNotEmpty = hasCode('BucketNotEmpty');

/**
 * The region's S3 creates no bucket with tags, as in the European Sovereign Cloud (hashicorp/terraform-provider-aws,
 * issue 45684). Services that are compatible with S3 give the second code (issue 47061).
 */
export const isUntaggableBucket = hasCode('UnsupportedArgument', 'MalformedXML');

/** The bucket is in another region, or no bucket can have the name. */
export const isNoSuchPlace = hasCode('PermanentRedirect', 'AuthorizationHeaderMalformed', 'InvalidBucketName');

/** A missing permission; the last one is EC2's. */
export const isDenied = hasCode('AccessDenied', 'Forbidden', 'UnauthorizedOperation');

/** Throttling by codes that the SDK's own list does not have. */
const isThrottlingBeyondSdk = hasCode(
  'ThrottledError',
  // Our own: a call that was not made because it waits for its turn. The SDK adds its metadata to what is thrown.
  'Throttled',
  'TooManyRequests',
  'ProvisionedThroughputExceeded',
  'ExecutionLimitExceeded',
  'LimitExceeded.Throttling',
  // The first generation of Elastic Load Balancing is throttled by a service behind it.
  'DependencyThrottle',
  // Systems Manager changes the parameter for another call.
  'TooManyUpdates',
);

/**
 * AWS throttles requests: the SDK's codes, except for `LimitExceededException`, on which the SDK retries: in the
 * services that are called here it is a quota, which does not change by waiting.
 */
export const isThrottling = (error: unknown): boolean =>
  isServiceError(error) &&
  (isThrottlingBeyondSdk(error) || (isThrottlingError(error as SdkError) && awsCodeOf(error) !== 'LimitExceeded'));

/**
 * No capacity for machines of that type in that place now; another place or type may have some. EC2 has created
 * nothing.
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
  // The zone does not offer the type; RunInstances has no code of its own for that.
  'Unsupported',
);

/** More tags than a resource may have: only fewer tags help. */
const hasTooManyTags = hasCode('TagLimitExceeded', 'TooManyTags');

/** A limit of the account, which only a raise or a deletion helps. */
export const isQuotaExceeded = (error: unknown): boolean =>
  !isThrottling(error) &&
  !hasTooManyTags(error) &&
  (matches(/LimitExceeded$|^TooMany/)(error) ||
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

/** A fault of the service or of the network: the outcome is unknown and the same request may be sent again. */
export const isServerFault = (error: unknown): boolean =>
  isNetworkFault(error) ||
  hasCode('InternalError', 'InternalFailure', 'InternalServerError', 'ServiceUnavailable', 'Unavailable')(error) ||
  hasCode('RequestTimeout', 'RequestExpired', 'IncorrectState', 'TransactionInProgress')(error) ||
  (isServiceError(error) && (error.$metadata.httpStatusCode ?? 0) >= 500);

/** The address cannot be associated yet: EC2 does not know everywhere that the instance runs. The code alone says less. */
export const isInstanceNotReady = (error: unknown): boolean =>
  hasCode('InvalidInstanceID', 'IncorrectInstanceState')(error) &&
  /not in a valid state/.test((error as Error).message);

/** Nothing was made: another call changes the same thing, or what is new or changed is not so everywhere yet. */
const isTooEarly = hasCode('OperationAborted', 'ConcurrentTagAccess', 'NoSuchBucket', 'IncorrectInstanceState');

/** What a person named is not there: absent means wrong, not "not yet". */
export const isUserNamedAbsence = hasCode(
  'InvalidAMIID.NotFound',
  'InvalidKeyPair.NotFound',
  'InvalidSnapshot.NotFound',
  'CertificateNotFound',
);

/** The request is wrong or not permitted: it stays so until a person changes something. */
export const isRefusal = (error: unknown): boolean =>
  isUserNamedAbsence(error) ||
  hasTooManyTags(error) ||
  (!isNotFound(error) &&
    matches(
      /^(BucketAlready|IllegalLocation|PermanentRedirect|AuthorizationHeaderMalformed|UnauthorizedOperation|Unauthorized|AccessDenied|AuthFailure|OptInRequired|ExpiredToken|Invalid|Missing|Validation|Malformed|Unsupported|Unrecognized|IdempotentParameterMismatch|UnknownParameter|OperationNotPermitted)/,
    )(error));

/** KMS: the key is disabled, or will be deleted. */
const isKeyDisabled = hasCode('Disabled', 'KMSInvalidState');

/** A key of KMS that cannot be used until a person changes something. Keys are found at once: none is "not yet" there. */
export const isKeyUnusable = (error: unknown): boolean => isNotFound(error) || isRefusal(error) || isKeyDisabled(error);

/** An answer of AWS that says that nothing was made, and not only the last of several attempts. */
export const madeNothing = (error: unknown): boolean => {
  if (!isServiceError(error) || isServerFault(error)) return false;
  const { attempts } = error.$metadata;
  return (attempts ?? 1) === 1;
};

/** `<code>: <message> (request <id>)`, the way AWS errors are shown in conditions, events and to Step Functions. */
export const describeAwsError = (error: unknown): string => {
  if (!isServiceError(error)) return describeError(error).reason;
  const request = error.$metadata.requestId ? ` (request ${error.$metadata.requestId})` : '';
  return `${awsCodeOf(error)}: ${error.message}${request}`;
};

/**
 * The error class of shared/errors.ts for an error of the SDK, with the AWS code and the request id in the message and
 * the original as `cause`. An error that is not recognised is returned as it is.
 */
export const translateAwsError = (error: unknown): unknown => {
  const options = { cause: error };
  if (isThrottling(error)) return new ThrottledError(describeAwsError(error), options);
  // Before server faults: EC2 answers some of these with a 500.
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
  return error;
};

/** Whether the workflows try a step again that failed with this error. */
export const isRetried = (error: unknown): boolean => {
  const translated = translateAwsError(error);
  return translated instanceof Error && translated.name in RETRY_POLICIES;
};
