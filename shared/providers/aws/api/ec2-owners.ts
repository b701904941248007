import { type EC2Client, paginateDescribeTags } from '@aws-sdk/client-ec2';
import { collectPages } from '../../../aws/pages.ts';
import { OWNER_TAG } from '../tags.ts';

/** Whose the resources are that a spec names. */
export interface Ec2Owners {
  /** The cluster (OWNER_TAG) by id of those resources that have its tag: at most 200 ids. */
  ownersOf(ids: readonly string[]): Promise<ReadonlyMap<string, string>>;
}

/** The port over EC2. */
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
