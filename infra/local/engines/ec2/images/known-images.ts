/** The images that the account can see: those that others publish and have not withdrawn, and its own. */
import { AwsFault } from '../../wire/fault.ts';
import { wildcard } from '../filters.ts';
import { checkForm, KINDS } from '../kinds.ts';
import type { OwnImage } from '../records.ts';
import type { Ec2 } from '../state.ts';
import { stateAt } from '../timeline.ts';
import { type Image, imagesOf } from './images.ts';

export interface KnownImage extends Image {
  readonly state: 'pending' | 'available' | 'disabled';
  readonly deprecatedAt: Date | undefined;
  readonly isPublic: boolean;
  readonly isEncrypted: boolean;
  readonly source?: { readonly id: string; readonly region: string };
}

/** AWS deprecates public images automatically (DeprecationTime of DescribeImages). */
const YEARS_OF_A_PUBLIC_IMAGE = 2;

const twoYearsAfter = (created: Date): Date => {
  const date = new Date(created);
  date.setUTCFullYear(date.getUTCFullYear() + YEARS_OF_A_PUBLIC_IMAGE);
  return date;
};

const asPublished = new WeakMap<Image, KnownImage>();

/** An image without a setting. It is cached, because each DescribeImages filters more than a thousand. */
const ordinary = (image: Image): KnownImage => {
  const kept = asPublished.get(image);
  if (kept) return kept;
  const deprecatedAt = twoYearsAfter(image.createdAt);
  const known: KnownImage = { ...image, state: 'available', deprecatedAt, isPublic: true, isEncrypted: false };
  asPublished.set(image, known);
  return known;
};

/** The published image as the account sees it; none if its publisher has withdrawn it. */
const publishedTo = ({ settings }: Ec2) => {
  const notes = settings.publishedImages.map((note) => ({ ...note, pattern: wildcard(note.name) }));
  return (image: Image): KnownImage[] => {
    const note = notes.findLast(({ pattern }) => pattern.test(image.name));
    if (note?.isWithdrawn) return [];
    const known = ordinary(image);
    return [note?.deprecatedAt ? { ...known, deprecatedAt: new Date(note.deprecatedAt) } : known];
  };
};

const ofTheAccount = ({ place, now }: Ec2, own: OwnImage): KnownImage => ({
  ...own,
  ownerId: place.accountId,
  createdAt: new Date(own.createdAt),
  state: own.isDisabled ? 'disabled' : stateAt(own.timeline, now()),
  deprecatedAt: own.deprecatedAt === undefined ? undefined : new Date(own.deprecatedAt),
  isPublic: false,
  source: { id: own.sourceId, region: own.sourceRegion },
});

export const knownImages = (ec2: Ec2): KnownImage[] => [
  ...[...imagesOf(ec2.place.region).values()].flatMap(publishedTo(ec2)),
  ...ec2.images.all().map((own) => ofTheAccount(ec2, own)),
];

/** The image of an id. Throws InvalidAMIID.Malformed or InvalidAMIID.NotFound. */
export const getImage = (ec2: Ec2, id: string): KnownImage => {
  checkForm(KINDS.image, id);
  const own = ec2.images.find(id);
  if (own) return ofTheAccount(ec2, own);
  const published = imagesOf(ec2.place.region).get(id);
  const [image] = published ? publishedTo(ec2)(published) : [];
  if (!image) throw KINDS.image.notFound(id);
  return image;
};

/** The image for a launch. A deprecated image can be launched, but not one that is disabled or incomplete. */
export const launchableImage = (ec2: Ec2, id: string): KnownImage => {
  const image = getImage(ec2, id);
  if (image.state !== 'available')
    throw new AwsFault('InvalidAMIID.Unavailable', `The image ID '${id}' is not available`);
  return image;
};
