import { Duration } from 'aws-cdk-lib';
import { type EventPattern, Rule } from 'aws-cdk-lib/aws-events';
import { LambdaFunction } from 'aws-cdk-lib/aws-events-targets';
import type { Function as LambdaFunctionConstruct } from 'aws-cdk-lib/aws-lambda';
import { SqsDestination } from 'aws-cdk-lib/aws-lambda-destinations';
import { Queue, QueueEncryption } from 'aws-cdk-lib/aws-sqs';
import { Construct } from 'constructs';

/** `pending` is missing: every launch passes through it, and the machine's own execution watches the launch. */
const STATES = ['running', 'stopping', 'stopped', 'shutting-down', 'terminated'];

const RULES: Readonly<Record<string, { description: string; eventPattern: EventPattern }>> = {
  Spot: {
    description: 'EC2 reclaims a spot instance, or is about to',
    eventPattern: {
      source: ['aws.ec2'],
      detailType: ['EC2 Spot Instance Interruption Warning', 'EC2 Instance Rebalance Recommendation'],
    },
  },
  Maintenance: {
    description: 'Maintenance of instances was scheduled, moved or cancelled',
    eventPattern: {
      source: ['aws.health'],
      detailType: ['AWS Health Event'],
      detail: { service: ['EC2'], eventTypeCategory: ['scheduledChange'] },
    },
  },
  Groups: {
    description: 'An Auto Scaling group has launched or terminated an instance, or waits to do so',
    eventPattern: {
      source: ['aws.autoscaling'],
      detailType: [
        'EC2 Instance Launch Successful',
        'EC2 Instance Launch Unsuccessful',
        'EC2 Instance Terminate Successful',
        'EC2 Instance-launch Lifecycle Action',
        'EC2 Instance-terminate Lifecycle Action',
      ],
    },
  },
  StateChange: {
    description: 'An instance was started, stopped or terminated',
    eventPattern: {
      source: ['aws.ec2'],
      detailType: ['EC2 Instance State-change Notification'],
      detail: { state: STATES },
    },
  },
};

/** Older events report nothing that the sweep has not found. */
const MAX_AGE = Duration.minutes(15);

/**
 * Sends to `target` the events of EC2, Auto Scaling and AWS Health about the account's instances in the stack's region.
 * All instances of the account cause events: the function recognizes its own. Returns a queue for events that could not
 * be delivered or handled, for inspection. Nothing reads it, because the sweep finds the same changes; an alarm watches
 * it.
 */
export const instanceEvents = (parent: Construct, target: LambdaFunctionConstruct): Queue => {
  const scope = new Construct(parent, 'InstanceEvents');
  const deadLetterQueue = new Queue(scope, 'DeadLetters', {
    encryption: QueueEncryption.SQS_MANAGED,
    enforceSSL: true,
    retentionPeriod: Duration.days(14),
  });
  target.configureAsyncInvoke({
    maxEventAge: MAX_AGE,
    retryAttempts: 2,
    onFailure: new SqsDestination(deadLetterQueue),
  });
  for (const [id, rule] of Object.entries(RULES))
    new Rule(scope, id, {
      ...rule,
      targets: [new LambdaFunction(target, { deadLetterQueue, maxEventAge: MAX_AGE, retryAttempts: 5 })],
    });
  return deadLetterQueue;
};
