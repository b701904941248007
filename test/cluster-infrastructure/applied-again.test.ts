import { afterEach, describe, expect, it } from 'vitest';
import { type AWSCluster, kinds } from '../../shared/kinds/index.ts';
import { create } from './steps.ts';
import { KEY, startWorld, type World } from './world.ts';

let world: World;
afterEach(() => world.close());

type Subnets = NonNullable<NonNullable<AWSCluster['spec']['network']>['subnets']>;

const zone = { availabilityZone: 'us-east-1a', isIpv6: true };
const PUBLIC = { id: 'public', cidrBlock: '10.0.0.0/24', isPublic: true, ...zone };
const PRIVATE = { id: 'private', cidrBlock: '10.0.1.0/24', ...zone };
/** A subnet with IPv6 only. */
const MODERN = { id: 'modern', ...zone };
const MORE = { id: 'more', cidrBlock: '10.0.2.0/24', ...zone };

/** Replaces the complete list with that of the manifest, as `kubectl apply` does. */
const apply = (subnets: Subnets) =>
  world.objects.mutate(kinds.awsCluster, KEY, ({ spec, ...rest }) => ({
    ...rest,
    spec: { ...spec, network: { ...spec.network, subnets } },
  }));

/** The IPv6 blocks by the ids in the spec, which are the names in EC2. */
const blocks = async () => {
  const { vpc, subnets = [] } = (await world.awsCluster()).spec.network ?? {};
  const found = await world.ec2.describeSubnets([{ name: 'vpc-id', values: [vpc?.id ?? ''] }]);
  return {
    inEc2: Object.fromEntries(found.map(({ tags, ipv6CidrBlock }) => [tags.Name, ipv6CidrBlock])),
    inSpec: Object.fromEntries(subnets.map(({ id, ipv6CidrBlock }) => [id, ipv6CidrBlock])),
  };
};

describe('subnets whose manifest leaves their IPv6 blocks to the VPC', () => {
  it('keep their blocks when the manifest is applied again with another subnet before them', async () => {
    world = await startWorld({ network: { vpc: { ipv6: {} }, subnets: [PUBLIC, PRIVATE, MODERN] } });
    expect(await create(world)).toBe(true);
    const before = (await blocks()).inEc2;

    await apply([MORE, MODERN, PUBLIC, PRIVATE]);
    expect(await create(world)).toBe(true);

    const { inEc2, inSpec } = await blocks();
    expect(inSpec).toEqual(inEc2);
    expect(inEc2).toEqual({ ...before, more: '2001:db8:0:4::/64' });
  });

  it('keep their blocks if they are IPv6-only and have the same name in EC2', async () => {
    const twins = [
      { id: 'subnet-first', ...zone },
      { id: 'subnet-second', ...zone },
    ];
    world = await startWorld({ network: { vpc: { ipv6: {} }, subnets: [PUBLIC, PRIVATE, ...twins] } });
    expect(await create(world)).toBe(true);
    const before = (await blocks()).inSpec;

    await apply([PUBLIC, PRIVATE, ...twins]);
    expect(await create(world)).toBe(true);

    expect((await blocks()).inSpec).toEqual(before);
  });
});
