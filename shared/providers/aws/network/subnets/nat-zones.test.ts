import { expect, it } from 'vitest';
import { natZones } from './nat-zones.ts';

const subnet = (isPublic: boolean | undefined, availabilityZone?: string, more: object = {}) => ({
  id: `${isPublic}-${availabilityZone}`,
  ...(isPublic === undefined ? {} : { isPublic }),
  ...(availabilityZone === undefined ? {} : { availabilityZone }),
  ...more,
});

it('natZones contains each zone that has a private and a public subnet, once', () => {
  const both = [subnet(undefined, 'a'), subnet(true, 'a'), subnet(true, 'b'), subnet(false, 'b'), subnet(false, 'b')];
  expect(natZones(both)).toEqual(['a', 'b']);
});

it.each([
  { reason: 'only public subnets', subnets: [subnet(true, 'a')] },
  { reason: 'only private subnets', subnets: [subnet(undefined, 'a'), subnet(false, 'b')] },
  { reason: 'the two kinds in different zones', subnets: [subnet(true, 'a'), subnet(false, 'b')] },
  { reason: 'subnets of unknown zones', subnets: [subnet(true), subnet(false)] },
  {
    reason: 'edge zones only',
    subnets: [subnet(true, 'a', { zoneType: 'local-zone' }), subnet(false, 'a', { zoneType: 'local-zone' })],
  },
])('natZones is empty for a VPC with $reason', ({ subnets }) => {
  expect(natZones(subnets)).toEqual([]);
});
