import { type EC2Client, paginateDescribeInstances } from '@aws-sdk/client-ec2';
import { collectPages } from './pages.ts';
import { ROLE_TAG } from './tags.ts';

/** The one call of EC2 that the sweep makes. */
export interface Ec2Fleet {
  /**
   * State by id of every instance in the region that carries the provider's role tag, whose key is the same for all
   * clusters: a thousand a page, terminated ones for as long as EC2 lists them.
   */
  describeStates(): Promise<ReadonlyMap<string, string>>;
}

/** The port over an SDK client. */
export const createEc2Fleet = (client: EC2Client): Ec2Fleet => ({
  describeStates: async () => {
    const input = { Filters: [{ Name: 'tag-key', Values: [ROLE_TAG] }], MaxResults: 1000 };
    const reservations = await collectPages(paginateDescribeInstances({ client }, input), (page) => page.Reservations);
    const instances = reservations.flatMap(({ Instances }) => Instances ?? []);
    return new Map(
      instances.flatMap(({ InstanceId, State }) => (InstanceId && State?.Name ? [[InstanceId, State.Name]] : [])),
    );
  },
});
