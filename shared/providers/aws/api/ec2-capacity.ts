import {
  type _InstanceType,
  DescribeImagesCommand,
  DescribeInstanceTypesCommand,
  type EC2Client,
  type Image,
  type InstanceTypeInfo,
} from '@aws-sdk/client-ec2';

/** The reads that determine the size of a template's machines. AWS errors are passed on unchanged. */
export interface Ec2Capacity {
  instanceType(name: string): Promise<InstanceTypeInfo | undefined>;
  image(id: string): Promise<Image | undefined>;
}

/** The port, implemented with EC2. */
export const createEc2Capacity = (client: EC2Client): Ec2Capacity => ({
  instanceType: async (name) => {
    const InstanceTypes = [name as _InstanceType];
    return (await client.send(new DescribeInstanceTypesCommand({ InstanceTypes }))).InstanceTypes?.[0];
  },
  image: async (id) => (await client.send(new DescribeImagesCommand({ ImageIds: [id] }))).Images?.[0],
});
