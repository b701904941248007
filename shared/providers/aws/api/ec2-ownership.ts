import { DescribeVpcsCommand, type EC2Client, paginateDescribeInstances } from '@aws-sdk/client-ec2';
import { collectPages } from '../../../aws/pages.ts';
import type { InstanceMarks } from '../plan/ownership/instance.ts';
import { fromTagList, type Tags } from '../tags.ts';
import { type Ec2Owners, ec2Owners } from './ec2-owners.ts';

/** EC2's data about the owners of its resources, for steps that do not read them otherwise. */
export interface Ec2Ownership extends Ec2Owners {
  /** By id, for the instances that EC2 knows, including terminated ones for about an hour. */
  instanceMarks(ids: readonly string[]): Promise<ReadonlyMap<string, InstanceMarks>>;
  /** Undefined if there is no such VPC. */
  vpcTags(vpcId: string): Promise<Tags | undefined>;
}

/** EC2 accepts 200 values in a filter. */
const MOST_AT_ONCE = 200;

/**
 * The port, implemented with an SDK client. A filter, unlike a list of ids, never fails because one of them is not
 * found.
 */
export const createEc2Ownership = (client: EC2Client): Ec2Ownership => ({
  ...ec2Owners(client),
  instanceMarks: async (ids) => {
    const marks = new Map<string, InstanceMarks>();
    for (let index = 0; index < ids.length; index += MOST_AT_ONCE) {
      const Filters = [{ Name: 'instance-id', Values: ids.slice(index, index + MOST_AT_ONCE) }];
      const pages = paginateDescribeInstances({ client }, { Filters });
      for (const { Instances = [] } of await collectPages(pages, ({ Reservations }) => Reservations))
        for (const { InstanceId = '', Tags, ClientToken } of Instances)
          marks.set(InstanceId, { tags: fromTagList(Tags), clientToken: ClientToken });
    }
    return marks;
  },
  vpcTags: async (vpcId) => {
    const Filters = [{ Name: 'vpc-id', Values: [vpcId] }];
    const { Vpcs = [] } = await client.send(new DescribeVpcsCommand({ Filters }));
    return Vpcs[0] && fromTagList(Vpcs[0].Tags);
  },
});
