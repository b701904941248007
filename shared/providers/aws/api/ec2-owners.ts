import { type EC2Client, paginateDescribeTags } from '@aws-sdk/client-ec2';
import { collectPages } from '../../../aws/pages.ts';
import { OWNER_TAG } from '../tags.ts';

/** The owners of the resources that a spec names. */
export interface Ec2Owners {
  /** The clusters (OWNER_TAG) of those resources that have the tag, by resource id; at most 200 ids. */
  ownersOf(ids: readonly string[]): Promise<ReadonlyMap<string, string>>;
}

/** The port, implemented with EC2. */
export const ec2Owners = (client: EC2Client): Ec2Owners => ({
  ownersOf: async (ids) => {
    const Filters = [
      { Name: 'resource-id', Values: [...ids] },
      { Name: 'key', Values: [OWNER_TAG] },
    ];
    const tags = await collectPages(paginateDescribeTags({ client }, { Filters }), ({ Tags = [] }) => Tags);
    return new Map(tags.map(({ ResourceId = '', Value = '' }) => [ResourceId, Value]));
  },
});
