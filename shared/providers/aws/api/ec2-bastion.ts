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
import { collectPages } from '../../../aws/pages.ts';
import type { ObservedBastion } from '../plan/network/model.ts';
import { fromTagList } from '../tags.ts';
import type { Filter } from './ec2-filter.ts';

/** The part of EC2 that a bastion is made with. */
export interface Ec2Bastion {
  /** Instances, each page of them. */
  describeBastions(filters: readonly Filter[]): Promise<ObservedBastion[]>;
  /** Images of x86_64 by id, or of an owner by the pattern of their description. */
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

/** The port over SDK clients; `writer` makes one attempt only. */
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
