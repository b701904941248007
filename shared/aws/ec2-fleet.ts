import { type EC2Client, type Filter, paginateDescribeInstances } from '@aws-sdk/client-ec2';
import { collectPages } from './pages.ts';
import { ROLE_TAG } from './tags.ts';

/** What EC2 says of many instances at once. */
export interface Ec2Fleet {
  /**
   * State by id of every instance in the region that carries the provider's role tag, whose key is the same for all
   * clusters: a thousand a page, terminated ones for as long as EC2 lists them.
   */
  describeStates(): Promise<ReadonlyMap<string, string>>;
  /** State by id of those of these instances that EC2 knows, of the first 200. */
  statesOf(ids: readonly string[]): Promise<ReadonlyMap<string, string>>;
}

/** A filter takes no more values. */
const MAX_VALUES = 200;

const describe = async (client: EC2Client, filter: Filter): Promise<ReadonlyMap<string, string>> => {
  const input = { Filters: [filter], MaxResults: 1000 };
  const reservations = await collectPages(paginateDescribeInstances({ client }, input), (page) => page.Reservations);
  const instances = reservations.flatMap(({ Instances }) => Instances ?? []);
  return new Map(
    instances.flatMap(({ InstanceId, State }) => (InstanceId && State?.Name ? [[InstanceId, State.Name]] : [])),
  );
};

/** The port over an SDK client. */
export const createEc2Fleet = (client: EC2Client): Ec2Fleet => ({
  describeStates: () => describe(client, { Name: 'tag-key', Values: [ROLE_TAG] }),
  // A filter, because a list of ids is refused as a whole where EC2 does not know one of them.
  statesOf: (ids) => describe(client, { Name: 'instance-id', Values: ids.slice(0, MAX_VALUES) }),
});
