import { Duration } from 'aws-cdk-lib';
import { Rule, RuleTargetInput, Schedule } from 'aws-cdk-lib/aws-events';
import { LambdaFunction } from 'aws-cdk-lib/aws-events-targets';
import type { IFunction } from 'aws-cdk-lib/aws-lambda';
import type { Construct } from 'constructs';

/** The maximum number of targets of an EventBridge rule. */
const MOST_TARGETS = 5;

/**
 * Invokes `target` every `minutes` minutes; if there are several `shards`, once for each, with its number. A failed
 * invocation is not retried: the next one does the same work, and a backlog of sweeps would only add load to an account
 * with problems. This must be configured twice: in EventBridge, which delivers the event, and in Lambda, which would
 * otherwise repeat a failed invocation twice, and keep throttled ones for hours.
 */
export const schedule = (
  scope: Construct,
  id: string,
  options: { minutes: number; target: IFunction; shards: number },
): void => {
  const untilNext = { retryAttempts: 0, maxEventAge: Duration.minutes(options.minutes) };
  options.target.configureAsyncInvoke(untilNext);
  const inputs = Array.from({ length: options.shards }, (_, shard) =>
    options.shards === 1 ? {} : { event: RuleTargetInput.fromObject({ shard }) },
  );
  for (let first = 0; first < inputs.length; first += MOST_TARGETS)
    new Rule(scope, `${id}${first === 0 ? '' : first}`, {
      description: 'Compares the account with the objects',
      schedule: Schedule.rate(Duration.minutes(options.minutes)),
      targets: inputs
        .slice(first, first + MOST_TARGETS)
        .map((input) => new LambdaFunction(options.target, { ...untilNext, ...input })),
    });
};
