import {
  CreateTagsCommand,
  DescribeInstancesCommand,
  ModifyInstanceMetadataOptionsCommand,
  ModifyNetworkInterfaceAttributeCommand,
  StopInstancesCommand,
  TerminateInstancesCommand,
} from '@aws-sdk/client-ec2';
import { kinds } from '../../shared/kinds/index.ts';
import { readNotice } from '../../shared/plan/instance-events/notice.ts';
import { fromTagList } from '../../shared/providers/aws/tags.ts';
import { NAMESPACE } from '../cluster-infrastructure/world.ts';
import type { DriftWorld } from './drift-world.ts';
import { startInstance } from './machines.ts';
import type { Row } from './row.ts';

const WORKER = { namespace: NAMESPACE, name: 'red-worker' };

const instance = async ({ client }: DriftWorld, id: string) => {
  const { Reservations = [] } = await client.send(new DescribeInstancesCommand({ InstanceIds: [id] }));
  return Reservations[0]?.Instances?.[0] ?? {};
};

const setType = ({ account, controlPlane }: DriftWorld, type: string) => {
  // The simulated account has no call for it: in reality, the instance is stopped first.
  const row = account.ec2().instances.find(controlPlane) as { instanceType: string } | undefined;
  if (row) row.instanceType = type;
};

const tagged = async (world: DriftWorld) => {
  const machine = await world.objects.get(kinds.machine, WORKER);
  const infrastructure = await world.objects.get(kinds.awsMachine, WORKER);
  if (!machine || !infrastructure) throw new Error('the worker is gone');
  return { machine: { ...machine, metadata: { ...machine.metadata, uid: 'another' } }, infrastructure };
};

let stranger = '';

/** The owner replaces the machine for this reason; shared/plan tests all reasons. */
const isToBeReplaced = async ({ objects }: DriftWorld) => {
  const machine = await objects.get(kinds.machine, { namespace: NAMESPACE, name: 'red-control-plane' });
  return machine !== undefined && readNotice(machine)?.reason === 'Drift';
};

/** Changes to instances. */
export const INSTANCE_ROWS: readonly Row[] = [
  {
    kind: 'InstanceStopped',
    what: 'stops an instance',
    change: async ({ client, worker, clock }) => {
      await client.send(new StopInstancesCommand({ InstanceIds: [worker] }));
      clock.advance(60);
    },
    isThere: async (world) => (await instance(world, world.worker)).State?.Name !== 'running',
  },
  {
    kind: 'InstanceTags',
    what: 'changes a tag of an instance',
    change: ({ client, worker }) =>
      client.send(new CreateTagsCommand({ Resources: [worker], Tags: [{ Key: 'Name', Value: 'mine' }] })),
    isThere: async (world) => fromTagList((await instance(world, world.worker)).Tags).Name === 'mine',
  },
  {
    kind: 'InstanceSecurityGroups',
    what: 'changes the security groups of an instance',
    change: async (world) => {
      const { NetworkInterfaces = [], VpcId } = await instance(world, world.worker);
      const [own] = await world.ec2.describeSecurityGroups([
        { name: 'vpc-id', values: [VpcId ?? ''] },
        { name: 'group-name', values: ['default'] },
      ]);
      const Groups = [own?.id ?? ''];
      for (const { NetworkInterfaceId } of NetworkInterfaces)
        await world.client.send(new ModifyNetworkInterfaceAttributeCommand({ NetworkInterfaceId, Groups }));
    },
    isThere: async (world) =>
      (await instance(world, world.worker)).SecurityGroups?.some(({ GroupName }) => GroupName === 'default') ?? false,
  },
  {
    kind: 'InstanceMetadataOptions',
    what: "allows an instance's metadata to be read without a token",
    change: ({ client, worker }) =>
      client.send(new ModifyInstanceMetadataOptionsCommand({ InstanceId: worker, HttpTokens: 'optional' })),
    isThere: async (world) => (await instance(world, world.worker)).MetadataOptions?.HttpTokens === 'optional',
  },
  {
    kind: 'UnknownInstance',
    what: 'starts an instance with the tags of a machine of the cluster',
    change: async (world) => {
      stranger = await startInstance(world, await tagged(world));
      world.clock.advance(3600);
    },
    isThere: async (world) => stranger !== '' && (await instance(world, stranger)).State?.Name === 'running',
  },
  {
    kind: 'InstanceTerminated',
    what: 'terminates an instance',
    step: 'workers',
    repaired: 'its MachineSet replaces the Machine',
    change: async ({ client, worker, clock }) => {
      await client.send(new TerminateInstancesCommand({ InstanceIds: [worker] }));
      clock.advance(60);
    },
    isThere: async (world) =>
      (await world.objects.get(kinds.machine, WORKER)) !== undefined &&
      (await instance(world, world.worker)).State?.Name === 'terminated',
  },
  {
    kind: 'InstanceType',
    what: 'changes the type of an instance',
    repaired: 'its owner replaces the Machine, the new one first',
    change: async (world) => setType(world, 't3.small'),
    isThere: async (world) =>
      !(await isToBeReplaced(world)) && (await instance(world, world.controlPlane)).InstanceType === 't3.small',
  },
];
