import {
  type DescribeImagesCommandInput,
  type EC2Client,
  type Image,
  paginateDescribeImages,
} from '@aws-sdk/client-ec2';
import { collectPages } from '../../../aws/pages.ts';
import type { Clock } from '../../../clock.ts';
import type { ImageStanding } from '../plan/drift/images.ts';

/** EC2's data about images that are in use. */
export interface ImageListing {
  /**
   * The images among these that are visible to the account, by id, including deprecated ones and its own disabled ones.
   */
  standings(ids: readonly string[]): Promise<ReadonlyMap<string, ImageStanding>>;
  /** The names of an owner's images that match one of these patterns. */
  names(owner: string, patterns: readonly string[]): Promise<readonly string[]>;
}

/** The maximum number of values in a filter. */
const MAX_VALUES = 200;

const chunksOf = (all: readonly string[]): string[][] =>
  Array.from({ length: Math.ceil(all.length / MAX_VALUES) }, (_, index) =>
    all.slice(index * MAX_VALUES, (index + 1) * MAX_VALUES),
  );

const standingOf = ({ ImageId = '', Name = '', OwnerId = '', State, DeprecationTime }: Image) =>
  [
    ImageId,
    { name: Name, ownerId: OwnerId, state: State ?? '', ...(DeprecationTime ? { deprecatedAt: DeprecationTime } : {}) },
  ] as const;

/** In pages, because EC2 throttles unpaginated requests more. */
const describe = (client: EC2Client, input: DescribeImagesCommandInput): Promise<Image[]> =>
  collectPages(paginateDescribeImages({ client }, { ...input, MaxResults: 1000 }), (page) => page.Images);

/** The listing, implemented with an SDK client. */
export const imageListing = (client: EC2Client): ImageListing => ({
  standings: async (ids) => {
    const found = new Map<string, ImageStanding>();
    for (const Values of chunksOf(ids)) {
      // A filter is used because EC2 refuses a complete list of ids if it does not know one of them.
      const Filters = [{ Name: 'image-id', Values }];
      const input = { Filters, IncludeDeprecated: true, IncludeDisabled: true };
      for (const image of await describe(client, input)) found.set(...standingOf(image));
    }
    return found;
  },
  names: async (owner, patterns) => {
    const Filters = [{ Name: 'name', Values: [...patterns] }];
    return (await describe(client, { Owners: [owner], Filters })).flatMap(({ Name }) => Name ?? []);
  },
});

/** How long data about images are cached. */
const FRESH_MILLISECONDS = 60 * 60 * 1000;

/**
 * The listing with a cache. EC2 is only queried again for images that were not queried within the last hour, and then
 * for all of them.
 */
export const rememberingImages = (listing: ImageListing, clock: Pick<Clock, 'now'>): ImageListing => {
  let standings: { ids: ReadonlySet<string>; found: ReadonlyMap<string, ImageStanding>; at: number } | undefined;
  const names = new Map<string, { found: readonly string[]; at: number }>();
  const isFresh = (known: { at: number } | undefined): boolean =>
    known !== undefined && clock.now().getTime() < known.at + FRESH_MILLISECONDS;
  return {
    standings: async (ids) => {
      if (standings && isFresh(standings) && ids.every((id) => standings?.ids.has(id))) return standings.found;
      const at = clock.now().getTime();
      const found = await listing.standings(ids);
      standings = { ids: new Set(ids), found, at };
      return found;
    },
    names: async (owner, patterns) => {
      const key = JSON.stringify([owner, patterns]);
      const known = names.get(key);
      if (known && isFresh(known)) return known.found;
      const at = clock.now().getTime();
      const found = await listing.names(owner, patterns);
      names.clear();
      names.set(key, { found, at });
      return found;
    },
  };
};
