import { Duration } from 'aws-cdk-lib';
import { Rule } from 'aws-cdk-lib/aws-events';
import { LambdaFunction } from 'aws-cdk-lib/aws-events-targets';
import type { Function as LambdaFunctionConstruct } from 'aws-cdk-lib/aws-lambda';
import type { Queue } from 'aws-cdk-lib/aws-sqs';
import type { StateMachine } from 'aws-cdk-lib/aws-stepfunctions';
import type { Construct } from 'constructs';

/** Later, the lease has expired and the sweep has started the next pass. */
const MAX_AGE = Duration.minutes(15);

/**
 * Reports passes to `target` that ended without releasing their lease, so that their clusters need not wait until it
 * expires.
 */
export const failedPasses = (
  scope: Construct,
  target: LambdaFunctionConstruct,
  { converge, deadLetterQueue }: { converge: StateMachine; deadLetterQueue: Queue },
): void => {
  new Rule(scope, 'FailedPasses', {
    description: 'A pass over a cluster died',
    eventPattern: {
      source: ['aws.states'],
      detailType: ['Step Functions Execution Status Change'],
      detail: { stateMachineArn: [converge.stateMachineArn], status: ['FAILED', 'TIMED_OUT', 'ABORTED'] },
    },
    targets: [new LambdaFunction(target, { deadLetterQueue, maxEventAge: MAX_AGE, retryAttempts: 5 })],
  });
};
