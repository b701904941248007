import { AlreadyExistsFault } from '@aws-sdk/client-auto-scaling';
import { describe, expect, it } from 'vitest';
import { QuotaExceededError, RefusedError, ThrottledError, TransientError } from '../errors.ts';
import {
  awsCodeOf,
  isDependencyViolation,
  isPermanent,
  isQuotaExceeded,
  isServerFault,
  isThrottling,
  madeNothing,
  translateAwsError,
} from './errors.ts';

const answer = (name: string, httpStatusCode = 400): Error =>
  Object.assign(new Error('no'), { name, $metadata: { httpStatusCode } });

describe('awsCodeOf', () => {
  it('returns the AWS error code, whatever name the SDK gives the error', () => {
    const fault = new AlreadyExistsFault({ message: 'no', $metadata: {} });

    expect([fault.name, awsCodeOf(fault)]).toEqual(['AlreadyExistsFault', 'AlreadyExists']);
    expect(awsCodeOf(answer('LoadBalancerNotFoundException'))).toBe('LoadBalancerNotFound');
    expect(awsCodeOf(answer('InvalidVpcID.NotFound'))).toBe('InvalidVpcID.NotFound');
  });
});

describe('isThrottling', () => {
  it.each([
    'BandwidthLimitExceeded',
    'EC2ThrottledException',
    'PriorRequestNotComplete',
    'ProvisionedThroughputExceededException',
    'RequestLimitExceeded',
    'RequestThrottled',
    'RequestThrottledException',
    'SlowDown',
    'ThrottledException',
    'Throttling',
    'ThrottlingException',
    'TooManyRequestsException',
    'TransactionInProgressException',
    // Errors that the SDK does not know.
    'DependencyThrottleException',
    'TooManyUpdates',
    'ExecutionLimitExceeded',
    'LimitExceeded.Throttling',
    'ThrottledError',
  ])('recognizes %s', (code) => {
    expect([isThrottling(answer(code)), isQuotaExceeded(answer(code))]).toEqual([true, false]);
    expect(translateAwsError(answer(code))).toBeInstanceOf(ThrottledError);
  });

  it('recognizes the HTTP status 429', () => {
    expect(isThrottling(answer('SomethingNew', 429))).toBe(true);
  });

  it('treats LimitExceededException as an exceeded quota, although the SDK would retry it', () => {
    expect([isThrottling(answer('LimitExceededException')), isThrottling(answer('VpcLimitExceeded'))]).toEqual([
      false,
      false,
    ]);
    expect(translateAwsError(answer('LimitExceededException'))).toBeInstanceOf(QuotaExceededError);
    expect(translateAwsError(answer('LimitExceededFault'))).toBeInstanceOf(QuotaExceededError);
  });

  it.each(['TagLimitExceeded', 'TooManyTagsException'])('treats %s as a refusal, not as an exceeded quota', (code) => {
    expect([isThrottling(answer(code)), isQuotaExceeded(answer(code))]).toEqual([false, false]);
    expect(translateAwsError(answer(code))).toBeInstanceOf(RefusedError);
  });

  it('ignores errors that are not answers from AWS', () => {
    expect(isThrottling(Object.assign(new Error('no'), { name: 'Throttling' }))).toBe(false);
  });
});

describe('translateAwsError', () => {
  it.each(['DisabledException', 'KMSInvalidStateException'])('translates %s from KMS into a refusal', (code) => {
    expect(translateAwsError(answer(code, 409))).toBeInstanceOf(RefusedError);
  });

  it.each(['ExpiredToken', 'RequestExpired'])('translates expired credentials into a refusal (%s)', (code) => {
    expect(translateAwsError(answer(code))).toBeInstanceOf(RefusedError);
    expect([isServerFault(answer(code)), madeNothing(answer(code))]).toEqual([false, true]);
  });

  it.each([
    ['S3 works on the bucket', 'OperationAborted'],
    ['S3 does not show a new bucket yet', 'NoSuchBucket'],
    ['EC2 sets other tags of the resource', 'ConcurrentTagAccess'],
    ['EC2 has not settled the state of the instance', 'IncorrectInstanceState'],
  ])('makes the step try again while %s', (_while, code) => {
    expect(translateAwsError(answer(code, 409))).toBeInstanceOf(TransientError);
    expect(madeNothing(answer(code, 409))).toBe(true);
  });

  it.each([
    'NotAvailableInZone',
    'PendingVerification',
    'Blocked',
    'SignatureDoesNotMatch',
    'AllAccessDisabled',
    'SomethingNew',
  ])('translates %s into a refusal that names the code, because AWS rejects the request', (code) => {
    const translated = translateAwsError(answer(code, 403));
    expect(translated).toBeInstanceOf(RefusedError);
    expect((translated as Error).message).toBe(`${code}: no`);
  });

  it('treats a limit as an exceeded quota, however AWS names it', () => {
    const limit = answer('TargetGroupAssociationLimitException');
    expect(isQuotaExceeded(limit)).toBe(true);
    expect(translateAwsError(limit)).toBeInstanceOf(QuotaExceededError);
  });

  it('makes the step try again while a scaling activity of the group is in progress', () => {
    const fault = answer('ScalingActivityInProgressFault');
    expect(isDependencyViolation(fault)).toBe(true);
    expect(translateAwsError(fault)).toBeInstanceOf(TransientError);
  });

  it.each([
    'RouteAlreadyExists',
    'ResourceExistsException',
    'DuplicateListenerException',
    'IdempotentInstanceTerminated',
  ])('does not change %s, which the callers interpret', (code) => {
    expect(translateAwsError(answer(code))).toMatchObject({ name: code });
  });
});

describe('isPermanent', () => {
  it.each([
    ['a refusal', 'UnauthorizedOperation', 403],
    ['an invalid request', 'InvalidParameterValue', 400],
    ['a changed request with a used token', 'IdempotentParameterMismatch', 400],
    ['a quota', 'TooManyBuckets', 400],
    ['a quota of Auto Scaling', 'LimitExceededFault', 400],
    ['an absent image', 'InvalidAMIID.NotFound', 400],
    ['an account that AWS still verifies', 'PendingVerification', 400],
    ['a damaged signature', 'SignatureDoesNotMatch', 403],
    ['expired credentials of a caller of EC2', 'RequestExpired', 400],
    ['an unknown code', 'SomethingNew', 400],
  ])('includes %s: %s', (_what, code, status) => {
    expect(isPermanent(answer(code, status))).toBe(true);
  });

  it.each([
    ['throttling', 'RequestLimitExceeded', 400],
    ['too many requests', 'SomethingNew', 429],
    ['a fault of the server', 'SomethingNew', 500],
    ['something that is not visible yet', 'InvalidVpcID.NotFound', 400],
    ['a bucket that is not visible yet', 'NoSuchBucket', 404],
    ['a change at the same time', 'OperationAborted', 409],
    ['something that is still used', 'DependencyViolation', 400],
    ['a scaling activity', 'ScalingActivityInProgressFault', 400],
    ['something that another run has created', 'RouteAlreadyExists', 400],
    ['something that is not attached', 'Gateway.NotAttached', 400],
    ['a used token', 'IdempotentInstanceTerminated', 400],
  ])('does not include %s: %s with the status %d', (_what, code, status) => {
    expect(isPermanent(answer(code, status))).toBe(false);
  });

  it('includes no error that is not an answer from AWS, although the SDK adds its metadata to it', () => {
    const own = Object.assign(new Error('no'), { name: 'IdentityError', $metadata: { attempts: 1 } });
    expect(isPermanent(own)).toBe(false);
  });
});
