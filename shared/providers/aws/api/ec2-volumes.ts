import { DeleteVolumeCommand, type EC2Client, paginateDescribeVolumes } from '@aws-sdk/client-ec2';
import { collectPages } from '../../../aws/pages.ts';
import type { FoundVolume } from '../plan/garbage/volumes.ts';
import { fromTagList } from '../tags.ts';
import type { Filter } from './ec2-filter.ts';

/** Volumes that controllers in clusters made. */
export interface Ec2Volumes {
  describeVolumes(filters: readonly Filter[]): Promise<FoundVolume[]>;
  deleteVolume(id: string): Promise<void>;
}

/** The port over SDK clients. Errors are the SDK's. */
export const ec2Volumes = (reader: EC2Client, writer: EC2Client): Ec2Volumes => ({
  describeVolumes: async (filters) => {
    const Filters = filters.map(({ name, values }) => ({ Name: name, Values: [...values] }));
    const found = await collectPages(paginateDescribeVolumes({ client: reader }, { Filters }), (page) => page.Volumes);
    return found.map(({ VolumeId = '', Size = 0, Tags, CreateTime }) => ({
      id: VolumeId,
      sizeGib: Size,
      tags: fromTagList(Tags),
      createdAt: CreateTime,
    }));
  },
  deleteVolume: async (id) => {
    await writer.send(new DeleteVolumeCommand({ VolumeId: id }));
  },
});
