import {
  AssociateAddressCommand,
  DescribeInstancesCommand,
  type EC2Client,
  type Instance,
  paginateDescribeInstances,
  RunInstancesCommand,
  type RunInstancesCommandInput,
  TerminateInstancesCommand,
} from '@aws-sdk/client-ec2';
import { createEc2Client, createEc2Writer } from '../../../aws/clients/ec2.ts';
import type { ClientOptions } from '../../../aws/clients/options.ts';
import { isNotFound } from '../../../aws/errors.ts';
import { collectPages } from '../../../aws/pages.ts';
import { createEc2Addresses, type Ec2Addresses } from './ec2-addresses.ts';
import { createEc2Hosts, type Ec2Hosts } from './ec2-hosts.ts';
import { type Ec2ImageReads, ec2ImageReads } from './ec2-image-reads.ts';
import { type Ec2LaunchReads, ec2LaunchReads } from './ec2-launch-reads.ts';
import { type Ec2VolumeClaims, ec2VolumeClaims } from './ec2-volumes.ts';

/** The target of an Elastic IP address. EC2 only accepts an instance if it has no more than one interface. */
export type AddressTarget = { InstanceId: string } | { NetworkInterfaceId: string };

/** The calls of EC2 for a machine's instance. AWS errors are passed on unchanged. */
export interface Ec2Instances extends Ec2LaunchReads, Ec2ImageReads, Ec2Addresses, Ec2Hosts, Ec2VolumeClaims {
  run(input: RunInstancesCommandInput): Promise<Instance | undefined>;
  /** The instance; undefined if EC2 does not know it. Right after a launch that means "not yet", and not "absent". */
  describe(id: string): Promise<Instance | undefined>;
  /** The instances that EC2 knows; at most 200. */
  describeAll(ids: readonly string[]): Promise<Instance[]>;
  /** Instances that have a tag and are not terminated. */
  findByTag(key: string, value: string): Promise<Instance[]>;
  /** Instances that were launched with a client token, including terminated ones for about an hour. */
  findByToken(clientToken: string): Promise<Instance[]>;
  /** Associates an Elastic IP address with a running instance, and takes it from nothing else. */
  associateAddress(allocationId: string, target: AddressTarget): Promise<void>;
  /** Terminates the instance. Succeeds if it is unknown. */
  terminate(id: string): Promise<void>;
}

const LIVE_STATES = ['pending', 'running', 'shutting-down', 'stopping', 'stopped'];

const unlessUnknown = async <T>(request: Promise<T>): Promise<T | undefined> => {
  try {
    return await request;
  } catch (error) {
    if (isNotFound(error)) return undefined;
    throw error;
  }
};

/** The port, implemented with SDK clients. `writer` makes only one attempt (createEc2Writer). */
export const createEc2Instances = (client: EC2Client, writer: EC2Client): Ec2Instances => ({
  ...ec2LaunchReads(client),
  ...ec2ImageReads(client),
  ...createEc2Addresses(client, writer),
  ...createEc2Hosts(client),
  ...ec2VolumeClaims(client),
  associateAddress: async (AllocationId, target) => {
    await client.send(new AssociateAddressCommand({ AllocationId, ...target, AllowReassociation: false }));
  },
  run: async (input) => (await client.send(new RunInstancesCommand(input))).Instances?.[0],
  describe: async (id) => {
    const found = await unlessUnknown(client.send(new DescribeInstancesCommand({ InstanceIds: [id] })));
    return found?.Reservations?.[0]?.Instances?.[0];
  },
  describeAll: async (ids) => {
    // A filter, unlike a list of ids, never fails because one of them is not found.
    const Filters = [{ Name: 'instance-id', Values: [...ids] }];
    const pages = paginateDescribeInstances({ client }, { Filters });
    return collectPages(pages, ({ Reservations = [] }) => Reservations.flatMap(({ Instances = [] }) => Instances));
  },
  findByTag: async (key, value) => {
    const Filters = [
      { Name: `tag:${key}`, Values: [value] },
      { Name: 'instance-state-name', Values: LIVE_STATES },
    ];
    const found = await client.send(new DescribeInstancesCommand({ Filters }));
    return (found.Reservations ?? []).flatMap(({ Instances }) => Instances ?? []);
  },
  findByToken: async (clientToken) => {
    const Filters = [{ Name: 'client-token', Values: [clientToken] }];
    const found = await client.send(new DescribeInstancesCommand({ Filters }));
    return (found.Reservations ?? []).flatMap(({ Instances }) => Instances ?? []);
  },
  terminate: async (id) => {
    await unlessUnknown(client.send(new TerminateInstancesCommand({ InstanceIds: [id] })));
  },
});

/** The port with clients of its own. */
export const connectEc2Instances = (options: ClientOptions): Ec2Instances =>
  createEc2Instances(createEc2Client(options), createEc2Writer(options));
