import { Duration } from 'aws-cdk-lib';
import { Rule } from 'aws-cdk-lib/aws-events';
import { LambdaFunction } from 'aws-cdk-lib/aws-events-targets';
import type { Function as LambdaFunctionConstruct } from 'aws-cdk-lib/aws-lambda';
import type { Queue } from 'aws-cdk-lib/aws-sqs';
import type { Construct } from 'constructs';
import type { Settings } from '../settings.ts';
import { apiCallPattern } from './api-call-pattern.ts';

/** Older events report nothing that the sweep has not found. */
const MAX_AGE = Duration.minutes(15);

/**
 * Sends to `target` the calls that change resources of clusters, as a trail of the account reports them to EventBridge.
 * Excluded are calls that AWS refused, and those of the stack's own functions, whose roles have its name. Creates
 * nothing if the settings do not say that there is a trail.
 */
export const apiCallEvents = (
  scope: Construct,
  target: LambdaFunctionConstruct,
  { settings, deadLetterQueue }: { settings: Settings; deadLetterQueue: Queue },
): void => {
  if (!settings.apiCallEvents) return;
  new Rule(scope, 'ApiCalls', {
    description: 'A resource of a network or load balancer was changed',
    eventPattern: apiCallPattern(settings.stackName),
    targets: [new LambdaFunction(target, { deadLetterQueue, maxEventAge: MAX_AGE, retryAttempts: 2 })],
  });
};
