import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { kinds } from '../../shared/kinds/index.ts';
import type { SubnetSpec } from '../../shared/kinds/schema/aws-network.ts';
import { create } from './steps.ts';
import { KEY, startWorld, type World } from './world.ts';

let world: World;
const SUBNETS: SubnetSpec[] = [
  { id: 'public', cidrBlock: '10.0.0.0/24', isPublic: true, availabilityZone: 'us-east-1a' },
  { id: 'private', cidrBlock: '10.0.1.0/24', availabilityZone: 'us-east-1a' },
];

beforeEach(async () => {
  world = await startWorld({ network: { subnets: SUBNETS } });
  expect(await create(world)).toBe(true);
});
afterEach(() => world.close());

const change = (edit: (subnets: SubnetSpec[]) => SubnetSpec[]) =>
  world.objects.mutate(kinds.awsCluster, KEY, ({ spec, ...rest }) => ({
    ...rest,
    spec: { ...spec, network: { ...spec.network, subnets: edit([...(spec.network?.subnets ?? [])]) } },
  }));

const ids = () =>
  world.account
    .ec2()
    .subnets.all()
    .map(({ id }) => id);
const messageOf = async () =>
  (await world.awsCluster()).status?.conditions?.find(({ type }) => type === 'SubnetsReady')?.message;

/** The record after an edit, and after the same manifest is applied. */
const RECORDS = [
  ['the record stays', (subnet: SubnetSpec) => subnet],
  ['a manifest takes the record away', ({ resourceID: _, tags: _tags, ...subnet }: SubnetSpec) => subnet],
] as const;

describe.each(RECORDS)('an existing subnet of a VPC of Windlass, if %s', (_, keep) => {
  const changed = (more: Partial<SubnetSpec>) => (subnets: SubnetSpec[]) =>
    subnets.map((one) => keep(one.id === 'private' ? { ...one, ...more } : one));

  it('cannot be changed to another block: the field is named, and no second subnet is created', async () => {
    const before = ids();
    await change(changed({ cidrBlock: '10.0.9.0/24' }));
    expect(await create(world)).toBe(false);
    expect(ids()).toEqual(before);
    expect(await messageOf()).toMatch(
      /^spec\.network\.subnets\[1\]\.cidrBlock is 10\.0\.9\.0\/24, but subnet-[0-9a-f]+, which was created for private, has 10\.0\.1\.0\/24: .*give the new subnet another id/,
    );

    await change(changed({ cidrBlock: '10.0.1.0/24' }));
    expect(await create(world)).toBe(true);
  });

  it('cannot be moved to another zone', async () => {
    await change(changed({ availabilityZone: 'us-east-1b' }));
    expect(await create(world)).toBe(false);
    expect(await messageOf()).toMatch(/^spec\.network\.subnets\[1\]\.availabilityZone is us-east-1b, but subnet-/);
  });
});

it('creates a new subnet if both the id and the block change', async () => {
  const before = ids();
  await change(
    (subnets) =>
      subnets.map((one) =>
        one.id === 'private' ? { ...SUBNETS[1], id: 'other', cidrBlock: '10.0.9.0/24' } : one,
      ) as SubnetSpec[],
  );
  expect(await create(world)).toBe(true);
  expect(ids()).toHaveLength(before.length + 1);
});
