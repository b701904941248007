/** The editor of a namespace creates a cluster with the name of another tenant's, and sets its VPC as the network. */
import {
  CreateSecurityGroupCommand,
  CreateVolumeCommand,
  DescribeSecurityGroupsCommand,
  DescribeVolumesCommand,
} from '@aws-sdk/client-ec2';
import {
  CreateLoadBalancerCommand as CreateClassicCommand,
  RegisterInstancesWithLoadBalancerCommand,
} from '@aws-sdk/client-elastic-load-balancing';
import {
  CreateListenerCommand,
  CreateLoadBalancerCommand,
  CreateTargetGroupCommand,
  RegisterTargetsCommand,
} from '@aws-sdk/client-elastic-load-balancing-v2';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { type Event, kinds } from '../../shared/kinds/index.ts';
import { withSettled } from '../../shared/providers/aws/plan/drift/settled.ts';
import { ownVpcDigest } from '../../shared/providers/aws/plan/drift/vpc-ownership.ts';
import { buildTags, OWNER_TAG, type Tags, toTagList } from '../../shared/providers/aws/tags.ts';
import { remove } from '../cluster-infrastructure/steps.ts';
import { makeUserNetwork, networkSpec, type UserNetwork } from '../cluster-infrastructure/user-network.ts';
import { type Installation, startInstallation } from './installation.ts';
import { awsClusterOf, clusterOf, convergeInput } from './objects.ts';

const NAME = 'prod';
const VICTIM = { namespace: 'victim', name: NAME };
const SERVICE: Tags = { [`kubernetes.io/cluster/${NAME}`]: 'owned', 'kubernetes.io/service-name': 'default/web' };
const INGRESS: Tags = { 'elbv2.k8s.aws/cluster': NAME };
const CSI: Tags = { [`kubernetes.io/cluster/${NAME}`]: 'owned', CSIVolumeName: 'pvc-1' };

let world: Installation;
let network: UserNetwork;
beforeEach(async () => {
  world = await startInstallation();
  const { ec2, destroy } = world.worldOf(convergeInput(world.evil, NAME, 'none'));
  network = await makeUserNetwork({ ec2 });
  destroy();
});
afterEach(() => world.close());

const nodeTags = (namespace: string): Tags =>
  buildTags({
    cluster: { namespace, name: NAME },
    name: 'node',
    role: 'node',
    extra: { MachineName: `${namespace}/node` },
    cloudProvider: 'owned',
  });

const owned = async (resource: string, tags: Tags): Promise<void> => {
  const { ec2, destroy } = world.worldOf(convergeInput(world.evil, NAME, 'none'));
  await ec2.createTags({ resourceId: resource, tags });
  destroy();
};

const addClassic = async (LoadBalancerName: string, tags: Tags, instance?: string) => {
  const { elb } = world.clients;
  const Listeners = [{ Protocol: 'TCP', LoadBalancerPort: 80, InstanceProtocol: 'TCP', InstancePort: 30080 }];
  const Subnets = [network.publicIds[0] ?? ''];
  await elb.send(new CreateClassicCommand({ LoadBalancerName, Listeners, Subnets, Tags: toTagList(tags) }));
  const Instances = [{ InstanceId: instance }];
  if (instance) await elb.send(new RegisterInstancesWithLoadBalancerCommand({ LoadBalancerName, Instances }));
};

const addModern = async (Name: string, tags: Tags, instance?: string) => {
  const { elbv2 } = world.clients;
  const Tags = toTagList(tags);
  const Subnets = [network.publicIds[0] ?? ''];
  const { LoadBalancers } = await elbv2.send(new CreateLoadBalancerCommand({ Name, Type: 'network', Subnets, Tags }));
  const group = { Name: `${Name}-tg`, Protocol: 'TCP', Port: 80, VpcId: network.vpcId } as const;
  const { TargetGroups } = await elbv2.send(new CreateTargetGroupCommand({ ...group, Tags }));
  const TargetGroupArn = TargetGroups?.[0]?.TargetGroupArn;
  const DefaultActions = [{ Type: 'forward' as const, TargetGroupArn }];
  const LoadBalancerArn = LoadBalancers?.[0]?.LoadBalancerArn;
  await elbv2.send(new CreateListenerCommand({ LoadBalancerArn, Protocol: 'TCP', Port: 80, DefaultActions }));
  if (instance) await elbv2.send(new RegisterTargetsCommand({ TargetGroupArn, Targets: [{ Id: instance }] }));
};

const addGroup = async (name: string, tags: Tags): Promise<string> => {
  const TagSpecifications = [{ ResourceType: 'security-group' as const, Tags: toTagList(tags) }];
  const input = { GroupName: name, Description: 'of a Service', VpcId: network.vpcId, TagSpecifications };
  return (await world.clients.ec2.send(new CreateSecurityGroupCommand(input))).GroupId ?? '';
};

const addVolume = async (tags: Tags): Promise<string> => {
  const TagSpecifications = [{ ResourceType: 'volume' as const, Tags: toTagList(tags) }];
  const input = { AvailabilityZone: 'us-east-1a', Size: 8, VolumeType: 'gp3' as const, TagSpecifications };
  return (await world.clients.ec2.send(new CreateVolumeCommand(input))).VolumeId ?? '';
};

/** Creates the editor's cluster in the VPC, and deletes it. */
const comeAndGo = async ({
  spec = { network: networkSpec(network) } as object,
  annotations = {} as Record<string, string>,
  between = async () => {},
} = {}): Promise<void> => {
  const { evil } = world;
  const cluster = clusterOf(evil, NAME);
  const uid = await world.plant(cluster);
  const awsCluster = awsClusterOf(evil, NAME, spec);
  await world.plant({ ...awsCluster, metadata: { ...awsCluster.metadata, annotations } });
  await between();
  const input = convergeInput(evil, NAME, uid);
  const held = { metadata: { finalizers: ['test/finalizer'] } };
  await world.patch(cluster, held);
  await world.patch(awsCluster, held);
  await world.remove(cluster);
  await world.remove(awsCluster);
  const over = world.worldOf(input);
  await remove(over, { passes: 4 }).finally(over.destroy);
};

const balancers = () => {
  const { account } = world;
  const modern = [...account.elbv2().loadBalancers.values()].map(({ name }) => name);
  const classic = [...account.elb().loadBalancers.values()].map(({ name }) => name);
  const groups = [...account.elbv2().targetGroups.values()].map(({ name }) => name);
  return [...modern, ...classic, ...groups].sort();
};

const groups = async (): Promise<(string | undefined)[]> => {
  const Filters = [{ Name: 'vpc-id', Values: [network.vpcId] }];
  const { SecurityGroups = [] } = await world.clients.ec2.send(new DescribeSecurityGroupsCommand({ Filters }));
  return SecurityGroups.map(({ GroupId }) => GroupId);
};
const volumes = async () =>
  ((await world.clients.ec2.send(new DescribeVolumesCommand({}))).Volumes ?? []).map(({ VolumeId }) => VolumeId);
const told = async (reason: string): Promise<(string | undefined)[]> =>
  (await world.objects.list<Event>(kinds.event, world.evil))
    .filter((event) => event.reason === reason)
    .map(({ message }) => message);

describe("resources of controllers in another tenant's cluster of the same name", () => {
  it.each([
    ['that the other cluster owns', true],
    ['that a person brought for both', false],
  ])('stay, and are named, in a VPC %s', async (_what, isVictims) => {
    if (isVictims) await owned(network.vpcId, buildTags({ cluster: VICTIM, role: 'common' }));
    const node = await world.run(nodeTags('victim'), undefined, network.privateIds[0]);
    await addClassic('classic', SERVICE, node);
    await addModern('service', SERVICE, node);
    await addModern('ingress', INGRESS, node);
    await addModern('empty', SERVICE);
    const group = await addGroup('k8s-elb-1', { [`kubernetes.io/cluster/${NAME}`]: 'owned' });
    const before = balancers();
    await comeAndGo();

    expect(balancers()).toEqual(before);
    expect(await groups()).toContain(group);
    expect((await told('GarbageKept')).join()).toContain('service');
    expect((await told('GarbageKept')).join()).toContain(group);
  });

  it('stay if one of the targets belongs to the other cluster', async () => {
    const theirs = await world.run(nodeTags('victim'), undefined, network.privateIds[0]);
    const own = await world.run(nodeTags(world.evil), undefined, network.privateIds[0]);
    await addClassic('classic', SERVICE, theirs);
    const Instances = [{ InstanceId: own }];
    const registration = { LoadBalancerName: 'classic', Instances };
    await world.clients.elb.send(new RegisterInstancesWithLoadBalancerCommand(registration));
    await comeAndGo();
    expect(balancers()).toEqual(['classic']);
  });

  it('are deleted with the cluster whose machines are their targets', async () => {
    const node = await world.run(nodeTags(world.evil), undefined, network.privateIds[0]);
    await addClassic('classic', SERVICE, node);
    await addModern('service', SERVICE, node);
    await addModern('ingress', INGRESS, node);
    await comeAndGo();
    expect(balancers()).toEqual([]);
  });
});

describe('the VPC of another tenant', () => {
  it('is not deleted, and neither are its subnets, groups and gateway, although the editor forges its record', async () => {
    const tags = buildTags({ cluster: VICTIM, role: 'common' });
    const input = convergeInput(world.evil, NAME, 'none');
    const { ec2, destroy } = world.worldOf(input);
    const id = await ec2.createVpc({ cidrBlock: '10.7.0.0/16', tags });
    const subnet = { cidrBlock: '10.7.0.0/24', zone: 'us-east-1a', tags };
    await ec2.createSubnet({ vpcId: id, ...subnet });
    await ec2.createSecurityGroup({ vpcId: id, name: `${NAME}-node`, description: 'nodes', tags });
    const internetGatewayId = await ec2.createInternetGateway(tags);
    await ec2.attachInternetGateway({ internetGatewayId, vpcId: id });
    const inVpc = [{ name: 'vpc-id', values: [id] }];
    const contents = () =>
      Promise.all([
        ec2.describeVpcs(inVpc),
        ec2.describeSubnets(inVpc),
        ec2.describeSecurityGroups(inVpc),
        ec2.describeRouteTables(inVpc),
        ec2.describeInternetGateways([{ name: 'attachment.vpc-id', values: [id] }]),
      ]);
    const before = await contents();
    const between = async () => {
      const key = { namespace: world.evil, name: NAME };
      await world.objects.mutate(kinds.awsCluster, key, (current) => withSettled(current, { vpc: ownVpcDigest(id) }));
      const annotations = { 'windlass.dev/on-drift': 'VpcOwnership=Repair' };
      await world.objects.mutate(kinds.cluster, key, (current) => ({
        ...current,
        metadata: { ...current.metadata, annotations },
      }));
    };
    await comeAndGo({ spec: { network: { vpc: { id } } }, between });
    expect(before.map((found) => found.length)).toEqual([1, 1, 2, 1, 1]);
    expect(await contents()).toEqual(before);
    destroy();
  });
});

describe('volumes of a cluster of the same name', () => {
  const annotations = { 'windlass.dev/volumes': 'Delete' };

  const RETAINED = { ...CSI, [OWNER_TAG]: `victim/${NAME}` };

  it.each([
    ['that nothing proves to be of a cluster', CSI],
    ['of a cluster in another namespace', RETAINED],
  ])('%s stay, and are not named, even if they are younger than the cluster', async (_whose, tags) => {
    let id = '';
    const between = async () => {
      world.clock.advance(3600);
      id = await addVolume(tags);
    };
    await comeAndGo({ annotations, between });
    expect(await volumes()).toContain(id);
    expect((await told('VolumesKept')).join()).not.toContain(id);
  });

  it('stay if they are older than the cluster', async () => {
    const id = await addVolume({ ...CSI, [OWNER_TAG]: `${world.evil}/${NAME}` });
    world.clock.advance(3600);
    await comeAndGo({ annotations });
    expect(await volumes()).toContain(id);
    expect((await told('VolumesKept')).join()).toContain(id);
  });

  it('are deleted with the cluster that has claimed them', async () => {
    let id = '';
    const between = async () => {
      world.clock.advance(3600);
      await world.run(nodeTags('victim'));
      id = await addVolume({ ...CSI, [OWNER_TAG]: `${world.evil}/${NAME}` });
    };
    await comeAndGo({ annotations, between });
    expect(await volumes()).not.toContain(id);
  });
});
