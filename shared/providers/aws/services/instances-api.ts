import { type EC2Client, type Instance, paginateDescribeInstances } from '@aws-sdk/client-ec2';
import { collectPages } from '../../../aws/pages.ts';
import { fromTagList, type Tags } from '../tags.ts';

/** An instance to which a node or a route refers. */
export interface NodeInstance {
  readonly tags: Tags;
  readonly groupIds: readonly string[];
  readonly isRunning: boolean;
  readonly isPending: boolean;
  /** Whether packets are dropped that have neither their source nor their destination in its own addresses. */
  readonly checksSource: boolean;
}

export interface NodeInstances {
  /** Instances in any state, by id. EC2 forgets a terminated instance after about an hour. */
  knownInstances(ids: readonly string[]): Promise<ReadonlyMap<string, NodeInstance>>;
}

/** EC2 accepts 200 values in a filter. */
const MOST_AT_ONCE = 200;

const toInstance = ({ Tags: tags, SecurityGroups = [], State, SourceDestCheck }: Instance): NodeInstance => ({
  tags: fromTagList(tags),
  groupIds: SecurityGroups.flatMap(({ GroupId }) => GroupId ?? []),
  isRunning: State?.Name === 'running',
  isPending: State?.Name === 'pending',
  checksSource: SourceDestCheck !== false,
});

const find = async (client: EC2Client, ids: readonly string[]) => {
  const found = new Map<string, NodeInstance>();
  for (let index = 0; index < ids.length; index += MOST_AT_ONCE) {
    const Filters = [{ Name: 'instance-id', Values: ids.slice(index, index + MOST_AT_ONCE) }];
    const pages = paginateDescribeInstances({ client }, { Filters });
    for (const { Instances = [] } of await collectPages(pages, ({ Reservations }) => Reservations))
      for (const instance of Instances) found.set(instance.InstanceId ?? '', toInstance(instance));
  }
  return found;
};

/**
 * The port, implemented with an SDK client. A filter, unlike a list of ids, never fails because one of them is not
 * found.
 */
export const createNodeInstances = (client: EC2Client): NodeInstances => ({
  knownInstances: (ids) => find(client, ids),
});
