import {
  DescribeImagesCommand,
  type EC2Client,
  type Image,
  type Instance,
  paginateDescribeInstances,
  RunInstancesCommand,
  type RunInstancesCommandInput,
  TerminateInstancesCommand,
} from '@aws-sdk/client-ec2';
import { collectPages } from '../../../../aws/pages.ts';
import { fromTagList } from '../../tags.ts';
import type { Filter } from '../filters.ts';
import type { ObservedBastion } from './model.ts';

/** The calls of EC2 with which a bastion is made. */
export interface Ec2Bastion {
  /** Instances, from all pages. */
  describeBastions(filters: readonly Filter[]): Promise<ObservedBastion[]>;
  /** Images for x86_64 by id, or those of an owner by a pattern for their description. */
  describeBastionImages(query: { id: string } | { owner: string; description: string }): Promise<Image[]>;
  runBastion(request: RunInstancesCommandInput): Promise<ObservedBastion>;
  terminateBastion(instanceId: string): Promise<void>;
}

const toBastion = (instance: Instance): ObservedBastion => ({
  id: instance.InstanceId ?? '',
  state: instance.State?.Name ?? 'pending',
  type: instance.InstanceType,
  imageId: instance.ImageId,
  subnetId: instance.SubnetId,
  zone: instance.Placement?.AvailabilityZone,
  keyName: instance.KeyName,
  privateIp: instance.PrivateIpAddress,
  publicIp: instance.PublicIpAddress,
  ipv6Address: instance.Ipv6Address,
  groupIds: (instance.SecurityGroups ?? []).flatMap(({ GroupId }) => GroupId ?? []),
  tags: fromTagList(instance.Tags),
});

const imagesInput = (query: { id: string } | { owner: string; description: string }) =>
  'id' in query
    ? { ImageIds: [query.id] }
    : {
        Owners: [query.owner],
        Filters: [
          { Name: 'description', Values: [query.description] },
          { Name: 'architecture', Values: ['x86_64'] },
          { Name: 'state', Values: ['available'] },
          { Name: 'virtualization-type', Values: ['hvm'] },
        ],
      };

/** The port, implemented with SDK clients; `writer` makes only one attempt. */
export const ec2Bastion = (reader: EC2Client, writer: EC2Client): Ec2Bastion => ({
  describeBastions: async (filters) => {
    const input = { Filters: filters.map(({ name, values }) => ({ Name: name, Values: [...values] })) };
    const pages = paginateDescribeInstances({ client: reader }, input);
    const reservations = await collectPages(pages, ({ Reservations }) => Reservations);
    return reservations.flatMap(({ Instances = [] }) => Instances.map(toBastion));
  },
  describeBastionImages: async (query) =>
    (await reader.send(new DescribeImagesCommand(imagesInput(query)))).Images ?? [],
  runBastion: async (request) => {
    const [instance] = (await writer.send(new RunInstancesCommand(request))).Instances ?? [];
    if (!instance) throw new Error('EC2 answered RunInstances without an instance');
    return toBastion(instance);
  },
  terminateBastion: async (instanceId) => {
    await writer.send(new TerminateInstancesCommand({ InstanceIds: [instanceId] }));
  },
});
