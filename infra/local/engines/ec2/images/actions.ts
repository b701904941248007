import type * as sdk from '@aws-sdk/client-ec2';
import type { Handlers } from '../../wire/handlers.ts';
import { applyFilters, type FilterFields } from '../filters.ts';
import { pagedIds, pageOf } from '../pages.ts';
import type { Ec2 } from '../state.ts';
import { tagList } from '../tags.ts';
import { getImage, type KnownImage, knownImages } from './known-images.ts';

const fields: FilterFields<KnownImage> = {
  'image-id': ({ id }) => id,
  name: ({ name }) => name,
  description: ({ description }) => description,
  'owner-id': ({ ownerId }) => ownerId,
  architecture: ({ architecture }) => architecture,
  state: ({ state }) => state,
  'virtualization-type': () => 'hvm',
  'root-device-type': () => 'ebs',
  'image-type': () => 'machine',
  'is-public': ({ isPublic }) => isPublic,
  hypervisor: () => 'xen',
  'creation-date': ({ createdAt }) => createdAt.toISOString(),
  'source-image-id': ({ source }) => source?.id,
  'source-image-region': ({ source }) => source?.region,
};

const view = (image: KnownImage): sdk.Image => ({
  ImageId: image.id,
  Name: image.name,
  Description: image.description,
  ImageLocation: `${image.ownerId}/${image.name}`,
  ImageType: 'machine',
  OwnerId: image.ownerId,
  Public: image.isPublic,
  State: image.state,
  Architecture: image.architecture,
  CreationDate: image.createdAt.toISOString(),
  DeprecationTime: image.deprecatedAt?.toISOString(),
  SourceImageId: image.source?.id,
  SourceImageRegion: image.source?.region,
  Hypervisor: 'xen',
  VirtualizationType: 'hvm',
  EnaSupport: true,
  ImdsSupport: undefined,
  RootDeviceType: 'ebs',
  RootDeviceName: '/dev/sda1',
  BlockDeviceMappings: [
    {
      DeviceName: '/dev/sda1',
      Ebs: {
        SnapshotId: image.snapshotId,
        VolumeSize: image.rootSizeGib,
        VolumeType: 'gp3',
        DeleteOnTermination: true,
        Encrypted: image.isEncrypted,
      },
    },
  ],
  Tags: tagList(image.tags),
});

/** A deleted image is no error as long as instances were launched from it, but it is not in the answer either. */
const imageAsked = (ec2: Ec2, id: string): KnownImage[] => {
  try {
    return [getImage(ec2, id)];
  } catch (error) {
    if (ec2.instances.all().some(({ imageId }) => imageId === id)) return [];
    throw error;
  }
};

/** All in one response, unless pages are requested. */
const answerOf = (
  images: readonly KnownImage[],
  { MaxResults, NextToken }: Pick<sdk.DescribeImagesRequest, 'MaxResults' | 'NextToken'>,
): sdk.DescribeImagesResult => {
  if (MaxResults === undefined) return { Images: images.map(view) };
  const ordered = images.map((image, index) => ({ image, sequence: index + 1 }));
  const { rows, nextToken } = pageOf(ordered, { maxResults: MaxResults, nextToken: NextToken });
  return { Images: rows.map(({ image }) => view(image)), NextToken: nextToken };
};

/** Reads of images. */
export const imageActions = (ec2: Ec2): Handlers<typeof sdk> => ({
  DescribeImages: ({ ImageIds, Owners, Filters, IncludeDeprecated, IncludeDisabled, ...paging }) => {
    const isAsked = ImageIds !== undefined && ImageIds.length > 0;
    if (isAsked && paging.MaxResults !== undefined) throw pagedIds();
    const rows = isAsked ? ImageIds.flatMap((id) => imageAsked(ec2, id)) : knownImages(ec2);
    const owners = Owners?.map((owner) => (owner === 'self' ? ec2.place.accountId : owner));
    const now = ec2.now();
    // An explicit id, or the ownership of the image, makes it visible although it is deprecated.
    const isShown = ({ ownerId, state, deprecatedAt }: KnownImage): boolean =>
      (state !== 'disabled' || IncludeDisabled === true) &&
      (isAsked ||
        IncludeDeprecated === true ||
        ownerId === ec2.place.accountId ||
        deprecatedAt === undefined ||
        deprecatedAt.getTime() > now);
    const owned = rows.filter((row) => isShown(row) && (!owners?.length || owners.includes(row.ownerId)));
    return answerOf(applyFilters(owned, Filters, fields), paging);
  },
});
