/** AWS's throttling: token buckets for the calls of an account in a region (shared/aws/request-buckets.ts). */
import { requestBucketsOf } from '../../../../shared/aws/request-buckets.ts';
import type { Clock } from '../../../../shared/clock.ts';
import type { GatedCall } from './dispatch.ts';
import { AwsFault } from './fault.ts';
import { makeTokenBucket, type TokenBucket } from './token-bucket.ts';

/** As each service says it. */
const refusalOf = (service: string): AwsFault =>
  service === 'ec2'
    ? new AwsFault('RequestLimitExceeded', 'Request limit exceeded.', 503)
    : new AwsFault('ThrottlingException', 'Rate exceeded', 400);

/** Throws the service's fault if a call finds one of its buckets empty; then it takes no token from the others. */
export const makeThrottling = (clock: Clock) => {
  const buckets = new Map<string, TokenBucket>();
  return ({ service, operation, region }: GatedCall, input: object, account: string): void => {
    const wanted = requestBucketsOf(service, operation, input).map(({ name, tokens, ...size }) => {
      const key = `${account} ${region} ${name}`;
      const bucket = buckets.get(key) ?? makeTokenBucket(clock, size);
      buckets.set(key, bucket);
      return { bucket, tokens };
    });
    if (!wanted.every(({ bucket, tokens }) => bucket.has(tokens))) throw refusalOf(service);
    for (const { bucket, tokens } of wanted) bucket.take(tokens);
  };
};
