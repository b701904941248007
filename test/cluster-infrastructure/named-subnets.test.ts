import { afterEach, describe, expect, it } from 'vitest';
import { kinds } from '../../shared/kinds/index.ts';
import { create } from './steps.ts';
import { KEY, startWorld, type World } from './world.ts';

let world: World;
afterEach(() => world.close());

/** As in the AWS provider's multi-az template. */
const SUBNETS = [
  { id: 'subnet-zone-1-private', availabilityZone: 'us-east-1a', cidrBlock: '10.0.0.0/24' },
  { id: 'subnet-zone-1-public', availabilityZone: 'us-east-1a', cidrBlock: '10.0.1.0/24', isPublic: true },
];

const name = async (subnets: typeof SUBNETS): Promise<void> => {
  await world.objects.mutate(kinds.awsCluster, KEY, ({ spec, ...rest }) => ({
    ...rest,
    spec: { ...spec, network: { ...spec.network, vpc: { ...spec.network?.vpc, cidrBlock: '10.0.0.0/16' }, subnets } },
  }));
};

describe('subnets of a VPC of Windlass', () => {
  it('are created if their names only look like ids of AWS', async () => {
    world = await startWorld();
    await name(SUBNETS);

    expect([await create(world), await create(world)]).toEqual([true, true]);

    const { spec } = await world.awsCluster();
    expect(spec.network?.subnets?.map(({ id, cidrBlock, resourceID }) => [id, cidrBlock, resourceID])).toEqual([
      ['subnet-zone-1-private', '10.0.0.0/24', expect.stringMatching(/^subnet-[0-9a-f]{17}$/)],
      ['subnet-zone-1-public', '10.0.1.0/24', expect.stringMatching(/^subnet-[0-9a-f]{17}$/)],
    ]);
  });

  it('are named after the ids that the user gave, which are kept', async () => {
    world = await startWorld();
    const own = SUBNETS.map((subnet, index) => ({ ...subnet, id: `mine-${index}` }));
    await name(own);

    expect([await create(world), await create(world)]).toEqual([true, true]);
    const { spec, metadata } = await world.awsCluster();
    expect(await create(world)).toBe(true);

    const subnets = spec.network?.subnets ?? [];
    expect(subnets.map(({ id, tags }) => [id, tags?.Name])).toEqual(own.map(({ id }) => [id, id]));
    const found = await world.ec2.describeSubnets([{ name: 'vpc-id', values: [spec.network?.vpc?.id ?? ''] }]);
    for (const { id, resourceID } of subnets) expect(found.find((one) => one.id === resourceID)?.tags.Name).toBe(id);
    expect((await world.awsCluster()).metadata.resourceVersion).toBe(metadata.resourceVersion);
  });

  it('are not created if the spec names an existing subnet by its id', async () => {
    world = await startWorld();
    await name(SUBNETS.map((subnet, index) => (index === 0 ? { ...subnet, id: 'subnet-0123456789abcdef0' } : subnet)));

    expect(await create(world)).toBe(false);

    const { status } = await world.awsCluster();
    expect(status?.conditions?.find(({ type }) => type === 'SubnetsReady')?.message).toContain(
      'names subnet-0123456789abcdef0, an existing subnet, but spec.network.vpc.id does not name its VPC',
    );
  });
});
