import { describe, expect, it } from 'vitest';
import { chooseZones, layOutSubnets } from './layout.ts';

const ZONES = ['us-east-1a', 'us-east-1b', 'us-east-1c'];

const ranges = (zoneCount: number, vpc: Parameters<typeof layOutSubnets>[1]) => {
  const subnets = layOutSubnets('red', vpc, ZONES.slice(0, zoneCount));
  const of = (isPublic: boolean) => subnets.filter((subnet) => subnet.isPublic === isPublic).map((s) => s.cidrBlock);
  return { public: of(true), private: of(false) };
};

describe('the layout of subnets', () => {
  it.each([
    {
      zones: 1,
      cidrBlock: '10.0.0.0/16',
      expected: { public: ['10.0.0.0/17'], private: ['10.0.128.0/17'] },
      reason: 'the range is halved',
    },
    {
      zones: 2,
      cidrBlock: '10.0.0.0/16',
      expected: { public: ['10.0.0.0/19', '10.0.32.0/19'], private: ['10.0.64.0/18', '10.0.128.0/18'] },
      reason: 'the range is divided into four, because three is not a power of two',
    },
    {
      zones: 3,
      cidrBlock: '10.0.0.0/16',
      expected: {
        public: ['10.0.0.0/20', '10.0.16.0/20', '10.0.32.0/20'],
        private: ['10.0.64.0/18', '10.0.128.0/18', '10.0.192.0/18'],
      },
      reason: 'the usual cluster',
    },
    {
      zones: 3,
      cidrBlock: '192.168.4.0/22',
      expected: {
        public: ['192.168.4.0/26', '192.168.4.64/26', '192.168.4.128/26'],
        private: ['192.168.5.0/24', '192.168.6.0/24', '192.168.7.0/24'],
      },
      reason: 'a small range is divided in the same way',
    },
  ])('cuts $cidrBlock for $zones zones as upstream does: $reason', ({ zones, cidrBlock, expected }) => {
    expect(ranges(zones, { cidrBlock })).toEqual(expected);
  });

  it('gives the large blocks to the public subnets when they are preferred', () => {
    expect(ranges(1, { cidrBlock: '10.0.0.0/16', subnetSchema: 'PreferPublic' })).toEqual({
      public: ['10.0.128.0/17'],
      private: ['10.0.0.0/17'],
    });
  });

  it('refuses a range that is too small, and names it', () => {
    expect(() => ranges(3, { cidrBlock: '10.0.0.0/25' })).toThrow(
      'spec.network.vpc.cidrBlock 10.0.0.0/25 is too small for subnets in 3 zones: they would be /29',
    );
  });
});

describe('the choice of zones', () => {
  const reversed = (zones: string[]) => [...zones].reverse();
  const available = ['us-east-1d', ...ZONES];

  it('takes the first three zones in order', () => {
    expect(chooseZones(available, {}, reversed)).toEqual(ZONES);
  });

  it('takes as many zones as the limit allows, in shuffled order if it is random', () => {
    const choice = { availabilityZoneUsageLimit: 2, availabilityZoneSelection: 'Random' } as const;

    expect(chooseZones(available, choice, reversed)).toEqual(['us-east-1c', 'us-east-1d']);
  });
});
