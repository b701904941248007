/** Changes that are made to running instances outside Windlass and corrected by the sweep. */
import {
  CreateTagsCommand,
  DescribeInstancesCommand,
  type Instance,
  ModifyInstanceMetadataOptionsCommand,
  ModifyNetworkInterfaceAttributeCommand,
  RunInstancesCommand,
  StopInstancesCommand,
} from '@aws-sdk/client-ec2';
import type { Machine } from '../../../../shared/kinds/index.ts';
import { ON_DRIFT } from '../../../../shared/kinds/rules/drift-policy.ts';
import { MACHINE_UID_TAG } from '../../../../shared/providers/aws/plan/launch/request.ts';
import { CORE } from '../../../end-to-end/laptop.ts';
import type { RecordedLaptop } from '../recording.ts';
import { OWN_KEY } from './machine-options.ts';
import { MERGE, sweep } from './story.ts';

const HOUR_MILLISECONDS = 3_600_000;

const idOf = ({ spec }: Machine): string => spec.providerID?.split('/').at(-1) ?? '';

const describe = async ({ ec2 }: RecordedLaptop, id: string): Promise<Instance> => {
  const { Reservations = [] } = await ec2.send(new DescribeInstancesCommand({ InstanceIds: [id] }));
  return Reservations[0]?.Instances?.[0] ?? {};
};

/**
 * Starts an instance with the tags of a machine that does not exist, and makes it too old to belong to a launch in
 * progress.
 */
const addStranger = async (laptop: RecordedLaptop, like: Instance): Promise<string> => {
  const { Instances = [] } = await laptop.ec2.send(
    new RunInstancesCommand({
      ImageId: like.ImageId,
      InstanceType: like.InstanceType,
      MinCount: 1,
      MaxCount: 1,
      SubnetId: like.SubnetId,
      TagSpecifications: [
        {
          ResourceType: 'instance',
          Tags: like.Tags?.map((tag) => (tag.Key === MACHINE_UID_TAG ? { ...tag, Value: 'nobody' } : tag)),
        },
      ],
    }),
  );
  const id = Instances[0]?.InstanceId ?? '';
  const row = laptop.account.ec2().instances.get(id);
  const [first, ...rest] = row.timeline.map((step) => ({ ...step, at: step.at - HOUR_MILLISECONDS }));
  if (first) row.timeline = [first, ...rest];
  return id;
};

/** Allows access to an instance's metadata without a token, and changes its name and its security group. */
const change = async (laptop: RecordedLaptop, id: string): Promise<void> => {
  const { ec2, account } = laptop;
  const { VpcId, NetworkInterfaces = [] } = await describe(laptop, id);
  await ec2.send(new ModifyInstanceMetadataOptionsCommand({ InstanceId: id, HttpTokens: 'optional' }));
  await ec2.send(new CreateTagsCommand({ Resources: [id], Tags: [{ Key: 'Name', Value: 'mine' }] }));
  const groups = account.ec2().securityGroups.all();
  const own = groups.find(({ vpcId, name }) => vpcId === VpcId && name === 'default');
  for (const { NetworkInterfaceId } of NetworkInterfaces)
    await ec2.send(new ModifyNetworkInterfaceAttributeCommand({ NetworkInterfaceId, Groups: [own?.id ?? ''] }));
};

const isMended = async (laptop: RecordedLaptop, ids: { stopped: string; changed: string; stranger: string }) => {
  const stopped = await describe(laptop, ids.stopped);
  const changed = await describe(laptop, ids.changed);
  const stranger = await describe(laptop, ids.stranger);
  return (
    stopped.State?.Name === 'running' &&
    changed.MetadataOptions?.HttpTokens === 'required' &&
    !changed.Tags?.some(({ Value }) => Value === 'mine') &&
    !changed.SecurityGroups?.some(({ GroupName }) => GroupName === 'default') &&
    stranger.State?.Name !== 'running'
  );
};

/** Encrypts the volumes of the instance with a customer-managed key, as if this had been done at the launch. */
const encrypt = ({ account }: RecordedLaptop, id: string): void => {
  for (const volume of account.ec2().volumes.all())
    if (volume.instanceId === id) Object.assign(volume, { encrypted: true, kmsKeyId: OWN_KEY });
};

/** Changes two workers of a running cluster, and starts an additional instance. */
export const meddleWithInstances = async (
  laptop: RecordedLaptop,
  cluster: string,
  [first, second]: readonly Machine[],
): Promise<void> => {
  if (!first || !second) throw new Error(`${cluster} has no two workers`);
  const annotations = { [ON_DRIFT]: 'InstanceStopped=Repair,UnknownInstance=Repair' };
  await laptop.api.send('PATCH', `${CORE}/clusters/${cluster}`, { metadata: { annotations } }, MERGE);
  const ids = { stopped: idOf(first), changed: idOf(second), stranger: '' };
  ids.stranger = await addStranger(laptop, await describe(laptop, ids.changed));
  await change(laptop, ids.changed);
  encrypt(laptop, ids.stopped);
  await laptop.ec2.send(new StopInstancesCommand({ InstanceIds: [ids.stopped] }));
  await laptop.until(
    'the instance is stopped',
    async () => (await describe(laptop, ids.stopped)).State?.Name === 'stopped',
  );
  await sweep(laptop);
  await laptop.until('the instances are as they should be', () => isMended(laptop, ids));
};
