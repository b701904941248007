import {
  CreateTagsCommand,
  type EC2Client,
  StartInstancesCommand,
  TerminateInstancesCommand,
} from '@aws-sdk/client-ec2';
import { type Tags, toTagList } from './tags.ts';

/** What the sweep may do to instances by itself: one call each, that says the same when it is repeated. */
export interface Ec2Repairs {
  start(instanceId: string): Promise<void>;
  createTags(instanceId: string, tags: Tags): Promise<void>;
  terminate(instanceId: string): Promise<void>;
}

/** The port over an SDK client. Throws what EC2 answers. */
export const createEc2Repairs = (client: EC2Client): Ec2Repairs => ({
  start: async (instanceId) => {
    await client.send(new StartInstancesCommand({ InstanceIds: [instanceId] }));
  },
  createTags: async (instanceId, tags) => {
    await client.send(new CreateTagsCommand({ Resources: [instanceId], Tags: toTagList(tags) }));
  },
  terminate: async (instanceId) => {
    await client.send(new TerminateInstancesCommand({ InstanceIds: [instanceId] }));
  },
});
