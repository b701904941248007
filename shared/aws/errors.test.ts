import { describe, expect, it } from 'vitest';
import { QuotaExceededError, RefusedError, ThrottledError } from '../errors.ts';
import { isQuotaExceeded, isThrottling, translateAwsError } from './errors.ts';

const answer = (name: string, httpStatusCode = 400): Error =>
  Object.assign(new Error('no'), { name, $metadata: { httpStatusCode } });

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
    // Those that the SDK does not know.
    'ExecutionLimitExceeded',
    'LimitExceeded.Throttling',
    'ThrottledError',
  ])('knows %s', (code) => {
    expect([isThrottling(answer(code)), isQuotaExceeded(answer(code))]).toEqual([true, false]);
    expect(translateAwsError(answer(code))).toBeInstanceOf(ThrottledError);
  });

  it('knows the status of HTTP for it', () => {
    expect(isThrottling(answer('SomethingNew', 429))).toBe(true);
  });

  it('treats LimitExceededException as a quota, where the SDK would retry', () => {
    expect([isThrottling(answer('LimitExceededException')), isThrottling(answer('VpcLimitExceeded'))]).toEqual([
      false,
      false,
    ]);
    expect(translateAwsError(answer('LimitExceededException'))).toBeInstanceOf(QuotaExceededError);
  });

  it('ignores errors that are not answers of AWS', () => {
    expect(isThrottling(Object.assign(new Error('no'), { name: 'Throttling' }))).toBe(false);
  });
});

describe('translateAwsError', () => {
  it.each(['DisabledException', 'KMSInvalidStateException'])('takes %s of KMS for a refusal', (code) => {
    expect(translateAwsError(answer(code, 409))).toBeInstanceOf(RefusedError);
  });
});
