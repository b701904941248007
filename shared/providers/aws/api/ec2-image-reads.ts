import { type _InstanceType, DescribeInstanceTypesCommand, type EC2Client, type Image } from '@aws-sdk/client-ec2';
import { type Ec2ImageQuery, findImages } from './ec2-images.ts';

/** The reads of EC2 that find the image of a machine. */
export interface Ec2ImageReads {
  /** Throws Refused if a lookup finds too many. */
  images(query: Ec2ImageQuery): Promise<Image[]>;
  /** The first architecture that an instance type supports, in EC2's terms: `x86_64`, `arm64`. */
  architecture(instanceType: string): Promise<string>;
}

/** The port, implemented with EC2. */
export const ec2ImageReads = (client: EC2Client): Ec2ImageReads => ({
  images: (query) => findImages(client, query),
  architecture: async (instanceType) => {
    const InstanceTypes = [instanceType as _InstanceType];
    const found = await client.send(new DescribeInstanceTypesCommand({ InstanceTypes }));
    const supported = found.InstanceTypes?.[0]?.ProcessorInfo?.SupportedArchitectures ?? [];
    return supported.find((name) => name === 'x86_64' || name === 'arm64') ?? 'x86_64';
  },
});
