import type { Context } from '../context.ts';

/** Recipients of alarms: an existing topic, or e-mail addresses. */
export interface AlarmReceivers {
  topicArn: string | undefined;
  emails: readonly string[];
}

/** The place of deployment, as far as it is known at synthesis. */
export interface Place {
  region?: string | undefined;
}

const TOPIC = { pattern: /^arn:aws[a-z-]*:sns:([a-z0-9-]+):\d{12}:[\w-]{1,256}$/, is: 'the ARN of an SNS topic' };
const EMAIL = { pattern: /^[^\s@,]+@[^\s@,]+\.[^\s@,]+$/, is: 'an e-mail address' };

/**
 * Reads the recipients of alarms. CloudWatch accepts no topic in another region ("Invalid region … specified"); a topic
 * in another account works if its policy allows CloudWatch to publish.
 */
export const readAlarms = (context: Context, { region }: Place): AlarmReceivers => {
  const receivers = { topicArn: context.text('alarmTopicArn', TOPIC), emails: context.list('alarmEmail', EMAIL) };
  if (receivers.topicArn !== undefined && receivers.emails.length > 0)
    context.report('alarmEmail', 'cannot be given with alarmTopicArn: subscribe to that topic instead');
  const [, ofTopic] = TOPIC.pattern.exec(receivers.topicArn ?? '') ?? [];
  if (region && ofTopic && ofTopic !== region)
    context.report(
      'alarmTopicArn',
      `is in ${ofTopic}, but the stack is in ${region}: alarms need a topic of their region`,
    );
  return receivers;
};
