import { Duration } from 'aws-cdk-lib';
import { JitterType, type RetryProps } from 'aws-cdk-lib/aws-stepfunctions';
import { LAMBDA_RETRY_POLICY, RETRY_POLICIES, type RetryPolicy } from '../../shared/errors.ts';

const retrier = (errors: readonly string[], policy: RetryPolicy): RetryProps => ({
  errors: [...errors],
  interval: Duration.seconds(policy.intervalSeconds),
  maxAttempts: policy.maxAttempts,
  backoffRate: policy.backoffRate,
  maxDelay: Duration.seconds(policy.maxDelaySeconds),
  jitterStrategy: JitterType.FULL,
});

/**
 * The retriers of every task: one per retryable error class and one for what Lambda itself reports. Derived from
 * shared/errors.ts, so that a new class with a policy is retried everywhere without a change here.
 */
export const taskRetriers = (): RetryProps[] => [
  ...Object.entries(RETRY_POLICIES).map(([name, policy]) => retrier([name], policy)),
  retrier(LAMBDA_RETRY_POLICY.errors, LAMBDA_RETRY_POLICY.policy),
];
