/**
 * The account's own images: copies, which it may deprecate, disable and deregister. Creating images of instances is not
 * simulated.
 */
import type * as sdk from '@aws-sdk/client-ec2';
import { AwsFault, onlySimulated } from '../../wire/fault.ts';
import type { Handlers } from '../../wire/handlers.ts';
import { KINDS } from '../kinds.ts';
import type { OwnImage } from '../records.ts';
import type { Ec2 } from '../state.ts';
import { tagsFor } from '../tags.ts';
import { imagesOf } from './images.ts';
import { launchableImage } from './known-images.ts';

/** Only the owner of an image may change it. */
const ownImage = (ec2: Ec2, id = ''): OwnImage => {
  if (imagesOf(ec2.place.region).has(id)) throw new AwsFault('AuthFailure', `Not authorized for image:${id}`);
  return ec2.images.get(id);
};

const COPY = [
  'Name',
  'Description',
  'SourceImageId',
  'SourceRegion',
  'Encrypted',
  'KmsKeyId',
  'TagSpecifications',
  'ClientToken',
];

const copy = (ec2: Ec2, input: sdk.CopyImageRequest): OwnImage => {
  onlySimulated('ec2:CopyImage', input, COPY);
  const { Name: name, SourceRegion: sourceRegion, SourceImageId: sourceId = '', Description = '' } = input;
  if (!name || !sourceRegion)
    throw new AwsFault('MissingParameter', `The request must contain the parameter ${name ? 'sourceRegion' : 'name'}`);
  if (sourceRegion !== ec2.place.region)
    throw new AwsFault('NotSimulated', 'only copies within a region are simulated', 501);
  if (ec2.images.all().some((image) => image.name === name))
    throw new AwsFault('InvalidAMIName.Duplicate', `AMI name ${name} is already in use`);
  if (input.KmsKeyId && !input.Encrypted)
    throw new AwsFault(
      'InvalidParameterDependency',
      'The parameter KmsKeyId requires the parameter Encrypted to be set.',
    );
  const source = launchableImage(ec2, sourceId);
  const { architecture, rootSizeGib } = source;
  const { settings, now } = ec2;
  const at = now();
  return ec2.images.add({
    ...ec2.born(KINDS.image, tagsFor(input.TagSpecifications, 'image', ['image', 'snapshot'])),
    ...{ name, description: Description, architecture, rootSizeGib, sourceId, sourceRegion },
    timeline: [
      { at, state: 'pending' },
      { at: at + settings.imageCopyMilliseconds, state: 'available' },
    ],
    snapshotId: ec2.newId('snap'),
    isEncrypted: source.isEncrypted || input.Encrypted === true,
    kmsKeyId: input.KmsKeyId,
    deprecatedAt: undefined,
    isDisabled: false,
  });
};

const deprecate = (ec2: Ec2, { ImageId, DeprecateAt }: sdk.EnableImageDeprecationRequest) => {
  const image = ownImage(ec2, ImageId);
  const at = DeprecateAt === undefined ? Number.NaN : new Date(DeprecateAt).getTime();
  if (!(at > ec2.now())) throw new AwsFault('InvalidParameterValue', 'DeprecateAt must be a time in the future');
  // EC2 rounds to the minute.
  image.deprecatedAt = Math.round(at / 60_000) * 60_000;
  return { Return: true };
};

export const ownImageActions = (ec2: Ec2): Handlers<typeof sdk> => ({
  CopyImage: (input) => ({ ImageId: copy(ec2, input).id }),
  EnableImageDeprecation: (input) => deprecate(ec2, input),
  DisableImageDeprecation: ({ ImageId }) => {
    ownImage(ec2, ImageId).deprecatedAt = undefined;
    return { Return: true };
  },
  DisableImage: ({ ImageId }) => {
    ownImage(ec2, ImageId).isDisabled = true;
    return { Return: true };
  },
  EnableImage: ({ ImageId }) => {
    ownImage(ec2, ImageId).isDisabled = false;
    return { Return: true };
  },
  DeregisterImage: (input) => {
    onlySimulated('ec2:DeregisterImage', input, ['ImageId']);
    ec2.images.remove(ownImage(ec2, input.ImageId).id);
    return { Return: true };
  },
});
