import {
  DescribeImagesCommand,
  type DescribeImagesCommandInput,
  type EC2Client,
  type Image,
  paginateDescribeImages,
} from '@aws-sdk/client-ec2';
import { RefusedError } from '../../../errors.ts';
import { choosable, describeQuery, type ImageQuery } from '../plan/launch/image.ts';

/** A query that EC2 answers; a parameter is read from Systems Manager. */
export type Ec2ImageQuery = Exclude<ImageQuery, { parameter: string }>;

type Lookup = Exclude<Ec2ImageQuery, { id: string }>;

/** The maximum number of images that a lookup may find, and of images in one response. */
const MOST_IMAGES = 10_000;
const PAGE = 1000;

const lookupInput = ({ owner, name, architecture }: Lookup): DescribeImagesCommandInput => ({
  Owners: [owner],
  IncludeDeprecated: true,
  MaxResults: PAGE,
  Filters: [
    { Name: 'name', Values: [name] },
    { Name: 'architecture', Values: [architecture] },
    { Name: 'state', Values: ['available'] },
    { Name: 'virtualization-type', Values: ['hvm'] },
  ],
});

/**
 * The image with an id, or those of a lookup that `chooseImage` may select. No other images are kept, because lookups
 * are cached. AWS errors are passed on unchanged. Throws Refused if a lookup finds more than 10,000: an owner such as
 * `amazon` has so many that reading them takes minutes.
 */
export const findImages = async (client: EC2Client, query: Ec2ImageQuery): Promise<Image[]> => {
  if ('id' in query) return (await client.send(new DescribeImagesCommand({ ImageIds: [query.id] }))).Images ?? [];
  let found: Image[] = [];
  let count = 0;
  for await (const { Images = [] } of paginateDescribeImages({ client }, lookupInput(query))) {
    count += Images.length;
    if (count > MOST_IMAGES)
      throw new RefusedError(
        `spec.imageLookupFormat: more than ${MOST_IMAGES} images match ${describeQuery(query)}; make the name more specific`,
      );
    found = choosable([...found, ...Images]);
  }
  return found;
};
