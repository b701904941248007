import { afterEach, describe, expect, it } from 'vitest';
import { kinds } from '../../shared/kinds/index.ts';
import { inventory } from './inventory.ts';
import { askForDeletion, create, remove } from './steps.ts';
import { makeUserNetwork, networkSpec, portrait, type UserNetwork, ZONES } from './user-network.ts';
import { KEY, startWorld, type World } from './world.ts';

let world: World;
let user: UserNetwork;
afterEach(() => world.close());

type Network = NonNullable<ReturnType<typeof networkSpec>>;

/** A world with a user's network, which the AWSCluster names, changed by `change`. */
const start = async (
  change: (network: Network) => Network = (network) => network,
  spec?: Parameters<typeof startWorld>[0],
) => {
  world = await startWorld(spec);
  user = await makeUserNetwork(world);
  await world.objects.mutate(kinds.awsCluster, KEY, (current) => ({
    ...current,
    spec: { ...current.spec, network: { cni: current.spec.network?.cni, ...change(networkSpec(user) ?? {}) } },
  }));
};

const conditionOf = async (type: string) =>
  (await world.awsCluster()).status?.conditions?.find((condition) => condition.type === type);

const groupsOf = async (vpcId: string) =>
  (await world.ec2.describeSecurityGroups([{ name: 'vpc-id', values: [vpcId] }])).map(({ name }) => name).sort();

describe('a user’s own VPC', () => {
  it('gets security groups, and its subnets are recorded in the spec', async () => {
    await start();

    const isReady = await create(world);

    const { spec, status } = await world.awsCluster();
    expect(isReady).toBe(true);
    expect(await groupsOf(user.vpcId)).toEqual([
      'default',
      'red-apiserver-lb',
      'red-controlplane',
      'red-lb',
      'red-node',
    ]);
    expect(spec.network?.vpc).toMatchObject({ id: user.vpcId, cidrBlock: '10.9.0.0/16' });
    expect(spec.network?.subnets?.[0]).toEqual({
      id: user.publicIds[0],
      resourceID: user.publicIds[0],
      availabilityZone: ZONES[0],
      cidrBlock: '10.9.0.0/24',
      isPublic: true,
      routeTableId: user.mainTableId,
      natGatewayId: user.natGatewayId,
    });
    expect(spec.network?.subnets?.[3]).toMatchObject({ isPublic: false, routeTableId: user.privateTableId });
    expect(status?.failureDomains).toEqual(Object.fromEntries(ZONES.map((zone) => [zone, { controlPlane: true }])));
    expect(status?.networkStatus?.natGatewaysIPs).toHaveLength(1);
    expect(await conditionOf('Ready')).toMatchObject({ status: 'True' });
  });

  it('spreads the control plane over the zones of a load balancer whose subnets it does not list', async () => {
    await start(({ vpc }) => ({ vpc, subnets: user.privateIds.map((id) => ({ id })) }));
    await world.objects.mutate(kinds.awsCluster, KEY, (current) => ({
      ...current,
      spec: {
        ...current.spec,
        controlPlaneLoadBalancer: { ...current.spec.controlPlaneLoadBalancer, subnets: user.publicIds },
      },
    }));

    expect(await create(world)).toBe(true);

    const { status, metadata } = await world.awsCluster();
    expect(status?.failureDomains).toEqual(Object.fromEntries(ZONES.map((zone) => [zone, { controlPlane: true }])));
    await create(world);
    await create(world);
    const later = await world.awsCluster();
    expect(later.status?.failureDomains).toEqual(status?.failureDomains);
    expect(later.metadata.generation).toBe(metadata.generation);
  });

  it('may have only public subnets, in which an internal load balancer is then placed', async () => {
    await start(({ vpc }) => ({ vpc, subnets: user.publicIds.map((id) => ({ id })) }), {
      controlPlaneLoadBalancer: { scheme: 'internal' },
    });

    expect(await create(world)).toBe(true);

    const { status } = await world.awsCluster();
    expect(status?.networkStatus?.apiServerElb).toMatchObject({ scheme: 'internal', availabilityZones: ZONES });
  });

  it('gets only security groups and the tags that load balancers need, and is unchanged after the deletion', async () => {
    await start();
    const before = await portrait(world, user.vpcId);

    await create(world);
    // From the second run on, the values that were read back are used.
    await create(world);
    const version = (await world.awsCluster()).metadata.resourceVersion;
    await create(world);
    expect((await world.awsCluster()).metadata.resourceVersion).toBe(version);
    const during = await portrait(world, user.vpcId);
    await askForDeletion(world);
    await remove(world);

    expect(during.subnets.map(({ tags }) => tags['kubernetes.io/cluster/red'])).toEqual(Array(4).fill('shared'));
    expect({ ...during, groups: [], subnets: [] }).toEqual({ ...before, groups: [], subnets: [] });
    expect(await portrait(world, user.vpcId)).toEqual(before);
    expect(await inventory(world)).toMatchObject({ loadBalancers: 0, targetGroups: 0 });
    expect(await world.objects.get(kinds.awsCluster, KEY)).toBeUndefined();
  });

  it('keeps existing tags', async () => {
    await start();
    const resourceId = user.publicIds[0] ?? '';
    await world.ec2.createTags({
      resourceId,
      tags: { 'kubernetes.io/cluster/red': 'owned', 'kubernetes.io/role/elb': '' },
    });
    const before = await portrait(world, user.vpcId);

    await create(world);
    await askForDeletion(world);
    await remove(world);

    expect(await portrait(world, user.vpcId)).toEqual(before);
  });

  it('is used although its owner does not allow tags', async () => {
    await start();
    for (let time = 0; time < 4; time += 1)
      world.account.failNext('ec2', 'CreateTags', { code: 'UnauthorizedOperation', message: 'no', status: 403 });

    expect(await create(world)).toBe(true);

    expect(await conditionOf('SubnetsReady')).toMatchObject({
      status: 'True',
      message: expect.stringContaining(`${user.publicIds[0]} lacks the tags`),
    });
  });
});

const other = (spec: Network, index: number, change: object): Network => ({
  ...spec,
  subnets: spec.subnets?.map((subnet, at) => (at === index ? { ...subnet, ...change } : subnet)),
});

describe('a network that the user has to correct', () => {
  it.each<{ reason: string; change: (network: Network) => Network; type?: string; message: () => string }>([
    {
      reason: 'no subnets are listed',
      change: ({ vpc }) => ({ vpc }),
      message: () => `spec.network.subnets is empty: VPC ${user.vpcId} is not the cluster's own`,
    },
    {
      reason: 'a subnet is in another zone',
      change: (network) => other(network, 1, { availabilityZone: 'us-east-1c' }),
      message: () =>
        `spec.network.subnets[1].availabilityZone is us-east-1c, but subnet ${user.publicIds[1]} is in us-east-1b`,
    },
    {
      reason: 'a subnet has another range',
      change: (network) => other(network, 0, { cidrBlock: '10.9.7.0/24' }),
      message: () =>
        `spec.network.subnets[0].cidrBlock is 10.9.7.0/24, but subnet ${user.publicIds[0]} has 10.9.0.0/24`,
    },
    {
      reason: 'a subnet does not exist',
      change: (network) => other(network, 2, { id: 'subnet-0123456789abcdef0' }),
      message: () =>
        `spec.network.subnets[2] names subnet subnet-0123456789abcdef0, which VPC ${user.vpcId} does not have`,
    },
    {
      reason: 'a private subnet is declared public',
      change: (network) => other(network, 2, { isPublic: true }),
      message: () =>
        `spec.network.subnets[2] is public, but route table ${user.privateTableId} of subnet ${user.privateIds[0]} has no working route`,
    },
    {
      reason: 'the load balancer has no subnet',
      change: (network) => ({ ...network, subnets: network.subnets?.slice(2) }),
      message: () =>
        'spec.network.subnets has no public subnet, which spec.controlPlaneLoadBalancer.scheme internet-facing',
    },
    {
      reason: 'the VPC does not exist',
      change: (network) => ({ ...network, vpc: { id: 'vpc-0123456789abcdef0' } }),
      type: 'VpcReady',
      message: () => 'VPC vpc-0123456789abcdef0, which spec.network.vpc.id names, does not exist',
    },
    {
      reason: 'a security group does not exist',
      change: (network) => ({ ...network, securityGroupOverrides: { node: 'sg-0123456789abcdef0' } }),
      type: 'ClusterSecurityGroupsReady',
      message: () =>
        'spec.network.securityGroupOverrides.node names security group sg-0123456789abcdef0, which does not',
    },
    {
      reason: 'the source of a rule does not exist',
      change: (network) => ({
        ...network,
        additionalNodeIngressRules: [
          {
            description: 'x',
            protocol: 'tcp',
            fromPort: 1,
            toPort: 2,
            sourceSecurityGroupIds: ['sg-0123456789abcdef0'],
          },
        ],
      }),
      type: 'ClusterSecurityGroupsReady',
      message: () =>
        'spec.network.additionalNodeIngressRules[0].sourceSecurityGroupIds[0] names security group sg-0123456789abcdef0',
    },
  ])('is reported, and nothing is created: $reason', async ({ change, type = 'SubnetsReady', message }) => {
    await start(change);
    const before = await portrait(world, user.vpcId);

    const isReady = await create(world);

    const condition = await conditionOf(type);
    expect(isReady).toBe(false);
    expect(condition).toMatchObject({ status: 'False', severity: 'Error' });
    expect(condition?.message).toContain(message());
    expect(await portrait(world, user.vpcId)).toEqual(before);
    await askForDeletion(world);
    await remove(world);
    expect(await portrait(world, user.vpcId)).toEqual(before);
  });

  it('is reported if it lists a subnet in another VPC', async () => {
    await start();
    const [elsewhere] = await world.ec2.describeSubnets([{ name: 'default-for-az', values: ['true'] }]);
    await world.objects.mutate(kinds.awsCluster, KEY, (current) => ({
      ...current,
      spec: { ...current.spec, network: { ...current.spec.network, subnets: [{ id: elsewhere?.id ?? '' }] } },
    }));

    expect(await create(world)).toBe(false);
    expect((await conditionOf('SubnetsReady'))?.message).toBe(
      `spec.network.subnets[0] names subnet ${elsewhere?.id}, which is in VPC ${elsewhere?.vpcId} and not in ${user.vpcId}`,
    );
  });
});

describe('a user’s own security groups', () => {
  it('are used for their roles and never changed', async () => {
    await start();
    const { vpcId } = user;
    const [node, lb] = await Promise.all(
      ['mine-node', 'mine-lb'].map((name) =>
        world.ec2.createSecurityGroup({ vpcId, name, description: 'mine', tags: { owner: 'me' } }),
      ),
    );
    const before = await portrait(world, vpcId);
    await world.objects.mutate(kinds.awsCluster, KEY, (current) => ({
      ...current,
      spec: {
        ...current.spec,
        network: { ...current.spec.network, securityGroupOverrides: { node: node ?? '', lb: lb ?? '' } },
      },
    }));

    await create(world);

    const { status } = await world.awsCluster();
    const mine = ({ id }: { id: string }) => id === node || id === lb;
    const during = await portrait(world, vpcId);
    expect(await groupsOf(vpcId)).toEqual(['default', 'mine-lb', 'mine-node', 'red-apiserver-lb', 'red-controlplane']);
    expect(status?.networkStatus?.securityGroups).toMatchObject({ node: { id: node }, lb: { id: lb } });
    expect(during.groups.filter(mine)).toEqual(before.groups.filter(mine));
    await askForDeletion(world);
    await remove(world);
    expect(await portrait(world, vpcId)).toEqual(before);
  });

  it('require a VPC of the user', async () => {
    world = await startWorld({ network: { securityGroupOverrides: { node: 'sg-1' } } });

    expect(await create(world)).toBe(false);

    expect((await conditionOf('ClusterSecurityGroupsReady'))?.message).toBe(
      'spec.network.securityGroupOverrides.node names sg-1, but spec.network.vpc.id names no VPC of yours',
    );
  });
});
