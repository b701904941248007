import {
  CreateTagsCommand,
  DeleteTagsCommand,
  type EC2Client,
  type InstanceMetadataOptionsRequest,
  ModifyInstanceMetadataOptionsCommand,
  ModifyNetworkInterfaceAttributeCommand,
  StartInstancesCommand,
  TerminateInstancesCommand,
} from '@aws-sdk/client-ec2';
import { type Tags, toTagList } from '../tags.ts';
import { type Ec2LaunchReads, ec2LaunchReads } from './ec2-launch-reads.ts';

/** The changes of instances that the sweep may make by itself: one idempotent call each. */
export interface Ec2Repairs extends Pick<Ec2LaunchReads, 'securityGroups' | 'ownersOf'> {
  start(instanceId: string): Promise<void>;
  createTags(resourceIds: readonly string[], tags: Tags): Promise<void>;
  deleteTags(resourceIds: readonly string[], keys: readonly string[]): Promise<void>;
  terminate(instanceId: string): Promise<void>;
  /** Replaces all groups of the interface. */
  setGroups(interfaceId: string, groupIds: readonly string[]): Promise<void>;
  setMetadataOptions(instanceId: string, options: InstanceMetadataOptionsRequest): Promise<void>;
}

/** The port, implemented with an SDK client. Throws EC2's errors. */
export const createEc2Repairs = (client: EC2Client): Ec2Repairs => ({
  start: async (instanceId) => {
    await client.send(new StartInstancesCommand({ InstanceIds: [instanceId] }));
  },
  securityGroups: ec2LaunchReads(client).securityGroups,
  ownersOf: ec2LaunchReads(client).ownersOf,
  createTags: async (ids, tags) => {
    await client.send(new CreateTagsCommand({ Resources: [...ids], Tags: toTagList(tags) }));
  },
  deleteTags: async (ids, keys) => {
    await client.send(new DeleteTagsCommand({ Resources: [...ids], Tags: keys.map((Key) => ({ Key })) }));
  },
  terminate: async (instanceId) => {
    await client.send(new TerminateInstancesCommand({ InstanceIds: [instanceId] }));
  },
  setGroups: async (NetworkInterfaceId, groupIds) => {
    await client.send(new ModifyNetworkInterfaceAttributeCommand({ NetworkInterfaceId, Groups: [...groupIds] }));
  },
  setMetadataOptions: async (InstanceId, options) => {
    await client.send(new ModifyInstanceMetadataOptionsCommand({ InstanceId, ...options }));
  },
});
