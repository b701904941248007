import { type EC2Client, type Filter, type Instance, paginateDescribeInstances } from '@aws-sdk/client-ec2';
import { collectPages } from '../../../aws/pages.ts';
import { fromTagList, type Tags } from '../tags.ts';

/** An instance to which a node or a route refers. */
export interface NodeInstance {
  readonly tags: Tags;
  readonly groupIds: readonly string[];
  readonly isRunning: boolean;
  /** Whether packets are dropped that have neither their source nor their destination in its own addresses. */
  readonly checksSource: boolean;
}

export interface NodeInstances {
  /** Running instances, by id. */
  runningInstances(ids: readonly string[]): Promise<ReadonlyMap<string, NodeInstance>>;
  /** Instances in any state, by id. EC2 forgets a terminated instance after about an hour. */
  knownInstances(ids: readonly string[]): Promise<ReadonlyMap<string, NodeInstance>>;
}

/** EC2 accepts 200 values in a filter. */
const MOST_AT_ONCE = 200;

const toInstance = ({ Tags: tags, SecurityGroups = [], State, SourceDestCheck }: Instance): NodeInstance => ({
  tags: fromTagList(tags),
  groupIds: SecurityGroups.flatMap(({ GroupId }) => GroupId ?? []),
  isRunning: State?.Name === 'running',
  checksSource: SourceDestCheck !== false,
});

const find = async (client: EC2Client, ids: readonly string[], more: readonly Filter[]) => {
  const found = new Map<string, NodeInstance>();
  for (let index = 0; index < ids.length; index += MOST_AT_ONCE) {
    const Filters = [{ Name: 'instance-id', Values: ids.slice(index, index + MOST_AT_ONCE) }, ...more];
    const pages = paginateDescribeInstances({ client }, { Filters });
    for (const { Instances = [] } of await collectPages(pages, ({ Reservations }) => Reservations))
      for (const instance of Instances) found.set(instance.InstanceId ?? '', toInstance(instance));
  }
  return found;
};

const RUNNING = [{ Name: 'instance-state-name', Values: ['running'] }];

/**
 * The port, implemented with an SDK client. A filter, unlike a list of ids, never fails because one of them is not
 * found.
 */
export const createNodeInstances = (client: EC2Client): NodeInstances => ({
  runningInstances: (ids) => find(client, ids, RUNNING),
  knownInstances: (ids) => find(client, ids, []),
});
