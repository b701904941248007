import { AlreadyExistsFault } from '@aws-sdk/client-auto-scaling';
import { describe, expect, it } from 'vitest';
import { QuotaExceededError, RefusedError, ThrottledError, TransientError } from '../errors.ts';
import { awsCodeOf, isQuotaExceeded, isThrottling, madeNothing, translateAwsError } from './errors.ts';

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

  it.each([
    ['S3 works on the bucket', 'OperationAborted'],
    ['S3 does not show a new bucket yet', 'NoSuchBucket'],
    ['EC2 sets other tags of the resource', 'ConcurrentTagAccess'],
    ['EC2 has not settled the state of the instance', 'IncorrectInstanceState'],
  ])('makes the step try again while %s', (_while, code) => {
    expect(translateAwsError(answer(code, 409))).toBeInstanceOf(TransientError);
    expect(madeNothing(answer(code, 409))).toBe(true);
  });
});
