import { Aws, CfnOutput, type Stack } from 'aws-cdk-lib';
import { PolicyStatement, ServicePrincipal } from 'aws-cdk-lib/aws-iam';
import { type ITopic, Subscription, SubscriptionProtocol, Topic } from 'aws-cdk-lib/aws-sns';
import type { Construct } from 'constructs';
import type { Settings } from '../settings.ts';
import type { AlarmReceivers } from './alarm-receivers.ts';
import { alarms } from './alarms.ts';
import { dashboard } from './dashboard.ts';
import type { Watched } from './watched.ts';

/**
 * The alarms' topic: an existing one, whose policy must allow CloudWatch to publish, or our own, to which the given
 * addresses are subscribed (AWS asks each by e-mail to confirm).
 */
const alarmTopic = (scope: Construct, { topicArn, emails }: AlarmReceivers): ITopic => {
  if (topicArn !== undefined) return Topic.fromTopicArn(scope, 'AlarmTopic', topicArn);
  const topic = new Topic(scope, 'AlarmTopic', { enforceSSL: true });
  topic.addToResourcePolicy(
    new PolicyStatement({
      principals: [new ServicePrincipal('cloudwatch.amazonaws.com')],
      actions: ['sns:Publish'],
      resources: [topic.topicArn],
      conditions: { StringEquals: { 'aws:SourceAccount': Aws.ACCOUNT_ID } },
    }),
  );
  for (const [index, endpoint] of emails.entries())
    new Subscription(topic, `Email${index}`, { topic, protocol: SubscriptionProtocol.EMAIL, endpoint });
  return topic;
};

/** The alarms, their recipients, and the dashboard that shows them together. */
export const observe = (stack: Stack, watched: Watched, settings: Settings): void => {
  const topic = alarmTopic(stack, settings.alarms);
  dashboard(stack, watched, alarms(stack, watched, topic));
  new CfnOutput(stack, 'DeadLettersUrl', {
    value: watched.deadLetters.queueUrl,
    description: 'Where undelivered events and refused exports are',
  });
  new CfnOutput(stack, 'AlarmTopicArn', { value: topic.topicArn, description: 'Where alarms go' });
};
