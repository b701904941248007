import { type EC2Client, paginateDescribeInstances } from '@aws-sdk/client-ec2';
import { collectPages } from '../../../aws/pages.ts';
import { fromTagList, type Tags } from '../tags.ts';

/** An instance that a node names. */
export interface NodeInstance {
  readonly tags: Tags;
  readonly groupIds: readonly string[];
}

export interface NodeInstances {
  /** By id, those that are running. */
  runningInstances(ids: readonly string[]): Promise<ReadonlyMap<string, NodeInstance>>;
}

/** EC2 takes 200 values in a filter. */
const MOST_AT_ONCE = 200;

/** The port over an SDK client. A filter, unlike a list of ids, never answers that one of them is not found. */
export const createNodeInstances = (client: EC2Client): NodeInstances => ({
  runningInstances: async (ids) => {
    const found = new Map<string, NodeInstance>();
    for (let index = 0; index < ids.length; index += MOST_AT_ONCE) {
      const Filters = [
        { Name: 'instance-id', Values: ids.slice(index, index + MOST_AT_ONCE) },
        { Name: 'instance-state-name', Values: ['running'] },
      ];
      const pages = paginateDescribeInstances({ client }, { Filters });
      for (const { Instances = [] } of await collectPages(pages, ({ Reservations }) => Reservations))
        for (const { InstanceId = '', Tags, SecurityGroups = [] } of Instances)
          found.set(InstanceId, {
            tags: fromTagList(Tags),
            groupIds: SecurityGroups.flatMap(({ GroupId }) => GroupId ?? []),
          });
    }
    return found;
  },
});
