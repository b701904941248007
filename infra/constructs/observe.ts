import { CfnOutput, type Stack } from 'aws-cdk-lib';
import { alarmTopic } from './alarm-topic.ts';
import { alarms } from './alarms.ts';
import { dashboard } from './dashboard.ts';
import type { Settings } from './settings.ts';
import type { Watched } from './watched.ts';

/** Alarms, whom they tell, and the page on which they are seen together. */
export const observe = (stack: Stack, watched: Watched, settings: Settings): void => {
  const topic = alarmTopic(stack, settings.alarms);
  dashboard(stack, watched, alarms(stack, watched, topic));
  new CfnOutput(stack, 'AlarmTopicArn', { value: topic.topicArn, description: 'Where alarms go' });
};
