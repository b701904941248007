import {
  AuthorizeSecurityGroupIngressCommand,
  CreateSecurityGroupCommand,
  CreateVolumeCommand,
  DescribeSecurityGroupsCommand,
  DescribeVolumesCommand,
} from '@aws-sdk/client-ec2';
import { CreateLoadBalancerCommand as CreateClassicCommand } from '@aws-sdk/client-elastic-load-balancing';
import { CreateLoadBalancerCommand, CreateTargetGroupCommand } from '@aws-sdk/client-elastic-load-balancing-v2';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { attach } from '../../infra/local/engines/ec2/instances/volumes.ts';
import { kinds } from '../../shared/kinds/index.ts';
import { buildTags } from '../../shared/providers/aws/tags.ts';
import { inventory, NOTHING } from './inventory.ts';
import { askForDeletion, create, remove } from './steps.ts';
import { KEY, startWorld, type World } from './world.ts';

let world: World;
let place: { vpcId: string; subnetId: string };
beforeEach(async () => {
  world = await startWorld();
  await create(world);
  const { vpc, subnets = [] } = (await world.awsCluster()).spec.network ?? {};
  place = { vpcId: vpc?.id ?? '', subnetId: subnets.find(({ isPublic }) => isPublic)?.resourceID ?? '' };
});
afterEach(() => world.close());

const CLUSTER = { apiVersion: 'cluster.x-k8s.io/v1beta2', kind: 'Cluster' } as const;
const tagsOf = (tags: Record<string, string>) => Object.entries(tags).map(([Key, Value]) => ({ Key, Value }));
const OWNED = { [`kubernetes.io/cluster/${KEY.name}`]: 'owned' };
const CCM = { ...OWNED, 'kubernetes.io/service-name': 'default/web' };

const addClassic = async (name: string, tags: Record<string, string>, groupTags: Record<string, string> = OWNED) => {
  const group = { GroupName: `k8s-elb-${name}`, Description: 'of a Service', VpcId: place.vpcId };
  const { GroupId = '' } = await world.clients.ec2.send(
    new CreateSecurityGroupCommand({
      ...group,
      TagSpecifications: [{ ResourceType: 'security-group', Tags: tagsOf(groupTags) }],
    }),
  );
  const Listeners = [{ Protocol: 'TCP', LoadBalancerPort: 80, InstanceProtocol: 'TCP', InstancePort: 30080 }];
  const input = { LoadBalancerName: name, Listeners, Subnets: [place.subnetId], SecurityGroups: [GroupId] };
  await world.clients.elb.send(new CreateClassicCommand({ ...input, Tags: tagsOf(tags) }));
  return GroupId;
};

const addModern = async (name: string, tags: Record<string, string>) => {
  const { elbv2 } = world.clients;
  await elbv2.send(
    new CreateLoadBalancerCommand({ Name: name, Type: 'network', Subnets: [place.subnetId], Tags: tagsOf(tags) }),
  );
  const group = { Name: `${name}-tg`, Protocol: 'TCP' as const, Port: 80, VpcId: place.vpcId };
  await elbv2.send(new CreateTargetGroupCommand({ ...group, Tags: tagsOf(tags) }));
};

it('resources that controllers in the cluster created are deleted with it, each reported in an event', async () => {
  const groupId = await addClassic('a1', CCM);
  await addModern('a2', { 'elbv2.k8s.aws/cluster': KEY.name });
  await askForDeletion(world);
  await remove(world);

  expect(await inventory(world)).toEqual(NOTHING);
  expect(world.account.elb().loadBalancers.size).toBe(0);
  const events = await world.objects.list(kinds.event, KEY.namespace);
  const by = "which the cluster's controllers created";
  expect(events.map(({ message }) => message)).toEqual(
    expect.arrayContaining([
      `Deleted classic load balancer a1, ${by}`,
      `Deleted load balancer a2, ${by}`,
      `Deleted target group a2-tg, ${by}`,
      `Deleted security group ${groupId}`,
    ]),
  );
});

it('load balancers that Windlass created for Services are deleted with the cluster and their groups, even if rules of other groups refer to these', async () => {
  const extra = { 'kubernetes.io/service-name': 'default/web' };
  const tags = buildTags({ cluster: KEY, role: 'service', extra, cloudProvider: 'owned' });
  const groupId = await addClassic('a1', tags, tags);
  const { SecurityGroups = [] } = await world.clients.ec2.send(new DescribeSecurityGroupsCommand({}));
  const nodes = SecurityGroups.find(({ GroupName }) => GroupName === `${KEY.name}-lb`);
  const rule = { IpProtocol: '-1', UserIdGroupPairs: [{ GroupId: groupId }] };
  const input = { GroupId: nodes?.GroupId, IpPermissions: [rule] };
  await world.clients.ec2.send(new AuthorizeSecurityGroupIngressCommand(input));
  await askForDeletion(world);
  await remove(world);

  expect(await inventory(world)).toEqual(NOTHING);
  expect(world.account.elb().loadBalancers.size).toBe(0);
});

it('resources that are kept or belong to another cluster stay, and are reported as blocking the deletion', async () => {
  await addClassic('a1', CCM);
  await addModern('a2', { 'kubernetes.io/cluster/blue': 'owned', 'kubernetes.io/service-name': 'default/web' });
  await world.objects.mutate(kinds.awsCluster, KEY, (current) => ({
    ...current,
    metadata: { ...current.metadata, annotations: { 'aws.cluster.x-k8s.io/external-resource-gc': 'false' } },
  }));
  await askForDeletion(world);
  await expect(remove(world, { passes: 3 })).rejects.toThrow('not deleted');

  const condition = (await world.awsCluster()).status?.conditions?.find(({ type }) => type === 'VpcReady');
  expect(condition?.message).toContain('(ELB a1)');
  expect(condition?.message).toContain('(ELB net/a2/');
  expect([world.account.elb().loadBalancers.size, world.account.elbv2().loadBalancers.size]).toEqual([1, 1]);
});

describe('volumes of the EBS CSI driver', () => {
  const addVolume = async (tags: Record<string, string>): Promise<string> => {
    const TagSpecifications = [{ ResourceType: 'volume' as const, Tags: tagsOf(tags) }];
    const input = { AvailabilityZone: 'us-east-1a', Size: 8, VolumeType: 'gp3' as const, TagSpecifications };
    return (await world.clients.ec2.send(new CreateVolumeCommand(input))).VolumeId ?? '';
  };
  const annotate = (annotations: Record<string, string>) =>
    world.objects.mutate(kinds.awsCluster, KEY, (current) => ({
      ...current,
      metadata: { ...current.metadata, annotations: { ...current.metadata.annotations, ...annotations } },
    }));
  const left = async () =>
    ((await world.clients.ec2.send(new DescribeVolumesCommand({}))).Volumes ?? []).map(({ VolumeId }) => VolumeId);
  const told = async (reason: string) =>
    (await world.objects.list(kinds.event, KEY.namespace)).filter((event) => event.reason === reason);
  const CSI = { ...OWNED, CSIVolumeName: 'pvc-1', 'ebs.csi.aws.com/cluster': 'true' };
  const CLAIMED = { ...CSI, 'windlass.dev/cluster': `${KEY.namespace}/${KEY.name}` };
  const messages = async () => (await told('VolumesKept')).map(({ message }) => message);

  it('stay by default, and those of the cluster are named', async () => {
    const own = await addVolume(CLAIMED);
    const others = await addVolume({ ...CLAIMED, 'kubernetes.io/cluster/blue': 'owned' });
    await askForDeletion(world);
    await remove(world);

    expect(await left()).toEqual([own, others]);
    expect(await messages()).toEqual([
      expect.stringMatching(
        `^Kept 1 volume that the cluster's controllers created: ${own} \\(pvc-1, 8 GiB\\); the annotation windlass.dev/volumes`,
      ),
    ]);
    expect(await inventory(world)).toEqual(NOTHING);
  });

  it('are deleted with the cluster if the annotation says so, and those in use once they are detached', async () => {
    await addVolume(CLAIMED);
    const inUse = await addVolume(CLAIMED);
    const shared = await addVolume({ CSIVolumeName: 'pvc-2', 'kubernetes.io/cluster/red': 'shared' });
    attach(world.account.ec2(), { id: inUse }, 'i-0123456789abcdef0');
    await annotate({ 'windlass.dev/volumes': 'Delete' });
    await askForDeletion(world);
    await expect(remove(world, { passes: 2 })).rejects.toThrow('not deleted');
    const waiting = (await world.awsCluster()).status?.conditions?.find(({ type }) => type === 'VpcReady');
    attach(world.account.ec2(), { id: inUse }, undefined);
    await remove(world);

    expect(waiting?.message).toMatch(`volume ${inUse}: VolumeInUse`);
    expect(await left()).toEqual([shared]);
    expect(await told('SuccessfulDeleteVolume')).toHaveLength(2);
    expect(await told('VolumesKept')).toEqual([]);
  });

  it('stay, and are not named, if nothing proves that they belong to the cluster', async () => {
    const unknown = await addVolume(CSI);
    const others = await addVolume({ ...CSI, 'windlass.dev/cluster': `other/${KEY.name}` });
    await annotate({ 'windlass.dev/volumes': 'Delete' });
    await askForDeletion(world);
    await remove(world);

    expect(await left()).toEqual([unknown, others]);
    expect(await messages()).toEqual([
      "Kept the volumes with the tags kubernetes.io/cluster/red: owned and CSIVolumeName, which a cluster of this name created; they were not attached to this cluster's machines when it was deleted, so they may belong to another cluster",
    ]);
  });

  it('are deleted although another cluster has the same name', async () => {
    await addVolume(CLAIMED);
    const metadata = { name: KEY.name, namespace: 'other' };
    const spec = {
      infrastructureRef: { apiGroup: 'infrastructure.cluster.x-k8s.io', kind: 'AWSCluster', name: 'red' },
    };
    await world.objects.ensure(kinds.cluster, { ...CLUSTER, metadata, spec });
    await annotate({ 'windlass.dev/volumes': 'Delete' });
    await askForDeletion(world);
    await remove(world);

    expect(await left()).toEqual([]);
    expect(await messages()).toEqual([]);
  });
});
