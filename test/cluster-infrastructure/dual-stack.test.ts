import { afterEach, describe, expect, it } from 'vitest';
import { type AWSCluster, kinds } from '../../shared/kinds/index.ts';
import { extras, inventory, NO_EXTRAS, NOTHING } from './inventory.ts';
import { askForDeletion, create, remove } from './steps.ts';
import { KEY, startWorld, type World } from './world.ts';

let world: World;
afterEach(() => world.close());

const s3Bucket = { name: 'boot-data', presignedURLDuration: '1h' };

const dualStack: Partial<AWSCluster['spec']> = {
  network: {
    vpc: {
      ipv6: {},
      availabilityZoneUsageLimit: 1,
      secondaryCidrBlocks: [{ ipv4CidrBlock: '100.64.0.0/16' }],
      emptyRoutesDefaultVPCSecurityGroup: true,
      privateDnsHostnameTypeOnLaunch: 'resource-name',
    },
  },
  s3Bucket,
};

const conditionOf = async (type: string) =>
  (await world.awsCluster()).status?.conditions?.find((condition) => condition.type === type);

const routesOf = async (kind: 'public' | 'private') => {
  const tables = await world.ec2.describeRouteTables([{ name: 'tag:Name', values: [`red-rt-${kind}-*`] }]);
  const routes = tables.flatMap((table) => table.routes);
  return Object.fromEntries(routes.map(({ destination, target }) => [destination, target?.split('-')[0]]));
};

describe('a dual-stack cluster with a bucket and a secondary block', () => {
  it('has all its parts, keeps them in the second run, and leaves nothing behind when it is deleted', async () => {
    world = await startWorld(dualStack);

    expect(await create(world)).toBe(true);
    const version = (await world.awsCluster()).metadata.resourceVersion;
    expect(await create(world)).toBe(true);

    const { spec } = await world.awsCluster();
    const [publicSubnet, privateSubnet] = spec.network?.subnets ?? [];
    expect((await world.awsCluster()).metadata.resourceVersion).toBe(version);
    expect(spec.network?.vpc?.ipv6).toMatchObject({ cidrBlock: '2001:db8::/56', poolId: 'Amazon' });
    expect(spec.network?.vpc?.ipv6?.egressOnlyInternetGatewayId).toMatch(/^eigw-/);
    expect(publicSubnet).toMatchObject({ isIpv6: true, ipv6CidrBlock: '2001:db8:0:3::/64' });
    expect(privateSubnet).toMatchObject({ isIpv6: true, ipv6CidrBlock: '2001:db8:0:2::/64' });
    expect(await routesOf('public')).toMatchObject({ '0.0.0.0/0': 'igw', '::/0': 'igw', '100.64.0.0/16': 'local' });
    expect(await routesOf('private')).toMatchObject({ '0.0.0.0/0': 'nat', '::/0': 'eigw' });
    const prefixLists = Object.entries(await routesOf('private')).filter(([destination]) =>
      destination.startsWith('pl-'),
    );
    expect(prefixLists).toEqual([[expect.any(String), 'vpce']]);
    expect(await extras(world)).toEqual({ egressOnly: 1, carriers: 0, endpoints: 1, secondaryBlocks: 1 });
    for (const type of ['SecondaryCidrsReady', 'EgressOnlyInternetGatewayReady', 'VpcEndpointsReady'])
      expect(await conditionOf(type)).toMatchObject({ status: 'True' });
    const subnets = await world.ec2.describeSubnets([{ name: 'vpc-id', values: [spec.network?.vpc?.id ?? ''] }]);
    expect(subnets.map(({ assignsIpv6, hostnameType }) => [assignsIpv6, hostnameType])).toEqual([
      [true, 'resource-name'],
      [true, 'resource-name'],
    ]);
    const groups = await world.ec2.describeSecurityGroups([{ name: 'vpc-id', values: [spec.network?.vpc?.id ?? ''] }]);
    const ofGroup = (name: string) => groups.find((group) => group.name === name);
    expect(ofGroup('default')).toMatchObject({ ingress: [], hasEgress: false });
    expect(ofGroup('red-node')?.ingress).toContainEqual(
      expect.objectContaining({ fromPort: 30000, source: '::/0', description: 'Node Port Services' }),
    );
    expect(ofGroup('red-lb')?.ingress).toContainEqual(expect.objectContaining({ source: '2001:db8::/56' }));

    const { loadBalancers, targetGroups } = world.account.elbv2();
    const [balancer] = loadBalancers.values();
    expect([balancer?.ipAddressType, ...[...targetGroups.values()].map((one) => one.ipAddressType)]).toEqual([
      'dualstack',
      'ipv6',
    ]);

    await askForDeletion(world);
    await remove(world);
    expect([await inventory(world), await extras(world)]).toEqual([NOTHING, NO_EXTRAS]);
  });

  it('leaves nothing behind when it is deleted after its parts were removed from the spec', async () => {
    world = await startWorld(dualStack);
    await create(world);
    await world.objects.mutate(kinds.awsCluster, KEY, (current) => {
      const { s3Bucket: _bucket, network, ...spec } = current.spec;
      const { ipv6: _ipv6, secondaryCidrBlocks: _blocks, ...vpc } = network?.vpc ?? {};
      return { ...current, spec: { ...spec, network: { ...network, vpc } } };
    });

    await askForDeletion(world);
    await remove(world);

    expect([await inventory(world), await extras(world)]).toEqual([NOTHING, NO_EXTRAS]);
  });
});

describe('IPAM pools and address pools', () => {
  it('supply addresses for the VPC and the NAT gateways, and their errors are reported by field', async () => {
    const pools = {
      vpc: {
        availabilityZoneUsageLimit: 1,
        ipamPool: { name: 'clusters', netmaskLength: 20 },
        elasticIpPool: { publicIpv4Pool: 'ipv4pool-ec2-0a', publicIpv4PoolFallbackOrder: 'none' as const },
      },
    };
    world = await startWorld({ network: pools, controlPlaneLoadBalancer: { scheme: 'internal' } });
    const { settings } = world.account;

    expect(await create(world)).toBe(false);
    expect((await conditionOf('VpcReady'))?.message).toBe(
      'spec.network.vpc.ipamPool: there is no IPAM pool with the name clusters',
    );
    settings.ipamPools = [{ id: 'ipam-pool-0a', name: 'clusters', family: 'ipv4', cidr: '10.40.0.0/16' }];
    expect(await create(world)).toBe(false);
    expect((await conditionOf('NatGatewaysReady'))?.message).toBe(
      'spec.network.vpc.elasticIpPool.publicIpv4Pool: there is no pool ipv4pool-ec2-0a',
    );
    settings.publicIpv4Pools = [{ id: 'ipv4pool-ec2-0a', cidr: '203.0.113.7/32' }];
    expect(await create(world)).toBe(true);

    const { spec, status } = await world.awsCluster();
    expect(spec.network?.vpc?.cidrBlock).toBe('10.40.0.0/20');
    expect(status?.networkStatus?.natGatewaysIPs).toEqual(['203.0.113.7']);
  });
});

describe('an edge zone', () => {
  const subnets = [
    { id: 'public', cidrBlock: '10.0.0.0/24', availabilityZone: 'us-east-1a', isPublic: true },
    { id: 'private', cidrBlock: '10.0.1.0/24', availabilityZone: 'us-east-1a' },
    { id: 'edge', cidrBlock: '10.0.2.0/24', availabilityZone: 'us-east-1-nyc-1a' },
    { id: 'carrier', cidrBlock: '10.0.3.0/24', availabilityZone: 'us-east-1-wl1-bos-wlz-1', isPublic: true },
  ];

  it('gets subnets once the account has opted in, and a default route of its own', async () => {
    world = await startWorld({ network: { subnets } });

    expect(await create(world)).toBe(false);
    expect((await conditionOf('SubnetsReady'))?.message).toContain('us-east-1-nyc-1a is not a zone of the region');
    for (const group of ['us-east-1-nyc-1', 'us-east-1-wl1']) world.account.ec2().optedIn.add(group);
    expect(await create(world)).toBe(true);

    const { spec, status } = await world.awsCluster();
    const ways = await world.ec2.describeRouteTables([{ name: 'vpc-id', values: [spec.network?.vpc?.id ?? ''] }]);
    const wayOf = (id: string) => {
      const subnet = spec.network?.subnets?.find((one) => one.id === id);
      const table = ways.find(({ id: tableId }) => tableId === subnet?.routeTableId);
      return table?.routes.find(({ destination }) => destination === '0.0.0.0/0')?.target?.split('-')[0];
    };
    expect(spec.network?.subnets?.[2]).toMatchObject({ zoneType: 'local-zone', parentZoneName: 'us-east-1a' });
    expect(spec.network?.vpc?.carrierGatewayId).toMatch(/^cagw-/);
    expect(['public', 'private', 'edge', 'carrier'].map(wayOf)).toEqual(['igw', 'nat', 'nat', 'cagw']);
    expect(status?.failureDomains).toEqual({ 'us-east-1a': { controlPlane: true } });
    await askForDeletion(world);
    await remove(world);
    expect([await inventory(world), await extras(world)]).toEqual([NOTHING, NO_EXTRAS]);
  });
});
