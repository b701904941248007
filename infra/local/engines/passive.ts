import type { Engine, Resource } from '../engine.ts';
import type { Identity, Target } from '../template.ts';

/**
 * Types in the template without an effect on a laptop, each with the reason. A type that is neither here nor created by
 * an engine is an error.
 */
const PASSIVE: Readonly<Record<string, string>> = {
  'AWS::IAM::Role': 'the laptop enforces no permissions',
  'AWS::IAM::Policy': 'the laptop enforces no permissions',
  'AWS::IAM::ManagedPolicy': 'the laptop enforces no permissions',
  'AWS::Lambda::Permission': 'the laptop enforces no permissions',
  'AWS::Lambda::EventInvokeConfig': 'what fails is logged and not tried again',
  'AWS::SQS::Queue': 'nothing is put into it: what fails is logged',
  'AWS::SQS::QueuePolicy': 'the laptop enforces no permissions',
  'AWS::Logs::LogGroup': 'functions log to files of their own',
  'AWS::CloudWatch::Alarm': 'nothing measures: what goes wrong is in the log',
  'AWS::CloudWatch::Dashboard': 'nothing measures',
  'AWS::SNS::Topic': 'no alarm rings',
  'AWS::SNS::TopicPolicy': 'the laptop enforces no permissions',
  'AWS::SNS::Subscription': 'no alarm rings',
  'Custom::WindlassGuard': 'the account goes with the process, clusters and all',
  'AWS::ApiGateway::Account': 'only says with which role API Gateway writes its logs',
};

const arnOf = ({ type, logicalId, properties }: Resource, target: Target): string => {
  const own = `${target.stackName}-${logicalId}`;
  if (type === 'AWS::IAM::Role') return `arn:${target.partition}:iam::${target.accountId}:role/${own}`;
  if (type === 'AWS::SQS::Queue') return `arn:${target.partition}:sqs:${target.region}:${target.accountId}:${own}`;
  if (type === 'AWS::CloudWatch::Alarm')
    return `arn:${target.partition}:cloudwatch:${target.region}:${target.accountId}:alarm:${String(properties.AlarmName ?? own)}`;
  if (type !== 'AWS::Logs::LogGroup') return own;
  const group = String(properties.LogGroupName ?? own);
  return `arn:${target.partition}:logs:${target.region}:${target.accountId}:log-group:${group}:*`;
};

/** Resources without an effect on a laptop. */
export const passiveEngine = (target: Target): Engine => ({
  types: Object.keys(PASSIVE),
  create: (resource): Identity => ({
    ref: String(resource.properties.LogGroupName ?? `${target.stackName}-${resource.logicalId}`),
    attributes: {
      Arn: arnOf(resource, target),
      ...(resource.type === 'AWS::SQS::Queue' ? { QueueName: resource.logicalId } : {}),
    },
  }),
});
