import { CreateTagsCommand, DeleteVolumeCommand, type EC2Client, paginateDescribeVolumes } from '@aws-sdk/client-ec2';
import { collectPages } from '../../../aws/pages.ts';
import type { Filter } from '../network/filters.ts';
import type { FoundVolume } from '../plan/garbage/volumes.ts';
import { fromTagList, OWNER_TAG, toTagList } from '../tags.ts';

/** Volumes that controllers in clusters have created. */
export interface Ec2Volumes {
  describeVolumes(filters: readonly Filter[]): Promise<FoundVolume[]>;
  deleteVolume(id: string): Promise<void>;
}

const describe =
  (reader: EC2Client): Ec2Volumes['describeVolumes'] =>
  async (filters) => {
    const Filters = filters.map(({ name, values }) => ({ Name: name, Values: [...values] }));
    const found = await collectPages(paginateDescribeVolumes({ client: reader }, { Filters }), (page) => page.Volumes);
    return found.map(({ VolumeId = '', Size = 0, Tags, CreateTime }) => ({
      id: VolumeId,
      sizeGib: Size,
      tags: fromTagList(Tags),
      createdAt: CreateTime,
    }));
  };

/** The port, implemented with SDK clients. Errors are the SDK's. */
export const ec2Volumes = (reader: EC2Client, writer: EC2Client): Ec2Volumes => ({
  describeVolumes: describe(reader),
  deleteVolume: async (id) => {
    await writer.send(new DeleteVolumeCommand({ VolumeId: id }));
  },
});

/** The calls with which such volumes are claimed for a cluster. */
export interface Ec2VolumeClaims extends Pick<Ec2Volumes, 'describeVolumes'> {
  claimVolumes(ids: readonly string[], owner: string): Promise<void>;
}

/** The same port for claims. */
export const ec2VolumeClaims = (client: EC2Client): Ec2VolumeClaims => ({
  describeVolumes: describe(client),
  claimVolumes: async (ids, owner) => {
    await client.send(new CreateTagsCommand({ Resources: [...ids], Tags: toTagList({ [OWNER_TAG]: owner }) }));
  },
});
