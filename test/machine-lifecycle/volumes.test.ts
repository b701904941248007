/** Volumes of pods on a machine of a deleted cluster: tagged as the cluster's own before the instance is terminated. */
import { CreateVolumeCommand, type EC2Client } from '@aws-sdk/client-ec2';
import { expect, it } from 'vitest';
import { controllerScopeOf } from '../../functions/providers/aws/aws-scope.ts';
import { makeInstanceSteps } from '../../functions/providers/aws/instance/steps.ts';
import { attach } from '../../infra/local/engines/ec2/instances/volumes.ts';
import { type AWSMachine, type Event, kinds } from '../../shared/kinds/index.ts';
import { context, forEachTest, KEY } from './setting.ts';
import type { MachineWorld } from './world.ts';

const RED = { namespace: 'default', name: 'red' };
const CSI = { 'kubernetes.io/cluster/red': 'owned', CSIVolumeName: 'pvc-1' };
const OWNER = 'windlass.dev/cluster';

let world: MachineWorld;
forEachTest((next) => {
  world = next;
});

const volumes = () => world.account.ec2().volumes;

const addVolume = async (client: EC2Client, tags: Record<string, string>, instanceId?: string): Promise<string> => {
  const Tags = Object.entries(tags).map(([Key, Value]) => ({ Key, Value }));
  const TagSpecifications = [{ ResourceType: 'volume' as const, Tags }];
  const input = { AvailabilityZone: 'us-east-1a', Size: 8, TagSpecifications };
  const { VolumeId: id = '' } = await client.send(new CreateVolumeCommand(input));
  if (instanceId) attach(world.account.ec2(), { id }, instanceId);
  return id;
};

/**
 * An instance with two attached volumes of the driver, one of which belongs to another cluster, and an unattached
 * volume.
 */
const launch = async () => {
  const { client, dependencies, input } = world;
  await makeInstanceSteps(dependencies).launchInstance(input, context);
  const { instanceID } = ((await dependencies.objects.get(kinds.awsMachine, KEY)) as AWSMachine).spec;
  return {
    own: await addVolume(client, CSI, instanceID),
    others: await addVolume(client, { ...CSI, [OWNER]: 'other/red' }, instanceID),
    free: await addVolume(client, CSI),
  };
};

const deleteCluster = async (policy: string): Promise<void> => {
  const { objects } = world.dependencies;
  const annotations = { 'windlass.dev/volumes': policy };
  await objects.mutate(kinds.awsCluster, RED, (one) => ({ ...one, metadata: { ...one.metadata, annotations } }));
  const finalizers = ['cluster.cluster.x-k8s.io'];
  await objects.mutate(kinds.cluster, RED, (one) => ({ ...one, metadata: { ...one.metadata, finalizers } }));
  await objects.delete(kinds.cluster, RED);
};

const terminate = (dependencies = world.dependencies) =>
  makeInstanceSteps(dependencies).terminateInstance(world.input, context);
const ownerOf = (id: string) => volumes().get(id).tags.get(OWNER);
const told = async () =>
  (await world.dependencies.objects.list<Event>(kinds.event)).filter(({ reason }) => reason === 'SuccessfulTagVolumes');

it('attached volumes without an owner are claimed once', async () => {
  const { own, others, free } = await launch();
  await deleteCluster('Delete');
  await terminate();
  await terminate();
  expect([ownerOf(own), ownerOf(others), ownerOf(free)]).toEqual(['default/red', 'other/red', undefined]);
  expect((await told()).map(({ message, count }) => [message, count])).toEqual([
    [expect.stringContaining(`${own} (pvc-1, 8 GiB)`), 1],
  ]);
});

it('no volume is claimed or read if the cluster keeps its volumes', async () => {
  const { own } = await launch();
  await deleteCluster('Keep');
  const ec2 = world.dependencies.ec2(await controllerScopeOf(undefined));
  const describeVolumes = () => Promise.reject(new Error('read'));
  await terminate({ ...world.dependencies, ec2: () => ({ ...ec2, describeVolumes }) });
  expect(ownerOf(own)).toBeUndefined();
});

it('no volume is claimed unless the cluster is being deleted', async () => {
  const { own } = await launch();
  const annotations = { 'windlass.dev/volumes': 'Delete' };
  await world.dependencies.objects.mutate(kinds.awsCluster, RED, (one) => ({
    ...one,
    metadata: { ...one.metadata, annotations },
  }));
  await terminate();
  expect(ownerOf(own)).toBeUndefined();
});

it('the instance is terminated even if the role may not tag its volumes', async () => {
  const { own } = await launch();
  await deleteCluster('Delete');
  const ec2 = world.dependencies.ec2(await controllerScopeOf(undefined));
  const denied = Object.assign(new Error('not authorized'), { name: 'UnauthorizedOperation', $metadata: {} });
  await terminate({ ...world.dependencies, ec2: () => ({ ...ec2, claimVolumes: () => Promise.reject(denied) }) });
  expect(ownerOf(own)).toBeUndefined();
  expect(await told()).toEqual([]);
  expect(volumes().get(own).instanceId).toBeUndefined();
});
