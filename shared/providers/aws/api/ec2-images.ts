import type { DescribeImagesCommandInput } from '@aws-sdk/client-ec2';
import type { ImageQuery } from '../plan/launch/image.ts';

/** The request for the images that a query means. */
export const imagesInput = (query: Exclude<ImageQuery, { parameter: string }>): DescribeImagesCommandInput =>
  'id' in query
    ? { ImageIds: [query.id] }
    : {
        Owners: [query.owner],
        IncludeDeprecated: true,
        Filters: [
          { Name: 'name', Values: [query.name] },
          { Name: 'architecture', Values: [query.architecture] },
          { Name: 'state', Values: ['available'] },
          { Name: 'virtualization-type', Values: ['hvm'] },
        ],
      };
