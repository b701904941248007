import { Duration } from 'aws-cdk-lib';
import { Rule, Schedule } from 'aws-cdk-lib/aws-events';
import { LambdaFunction } from 'aws-cdk-lib/aws-events-targets';
import type { IFunction } from 'aws-cdk-lib/aws-lambda';
import type { Construct } from 'constructs';

/**
 * Invokes `target` every `minutes` minutes. An invocation that fails is not tried again: the next tick does the same
 * work, and a backlog of sweeps would only add load to an account that is in trouble. Both have to be told so:
 * EventBridge, which delivers, and Lambda, which would run what failed twice more, and hold what is throttled for hours.
 */
export const schedule = (scope: Construct, id: string, options: { minutes: number; target: IFunction }): Rule => {
  const untilNext = { retryAttempts: 0, maxEventAge: Duration.minutes(options.minutes) };
  options.target.configureAsyncInvoke(untilNext);
  return new Rule(scope, id, {
    description: 'Compares the account with the objects',
    schedule: Schedule.rate(Duration.minutes(options.minutes)),
    targets: [new LambdaFunction(options.target, untilNext)],
  });
};
