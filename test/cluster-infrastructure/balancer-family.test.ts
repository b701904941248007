import { afterEach, describe, expect, it } from 'vitest';
import { kinds } from '../../shared/kinds/index.ts';
import type { SubnetSpec } from '../../shared/kinds/schema/aws-network.ts';
import { create } from './steps.ts';
import { KEY, startWorld, type World } from './world.ts';

let world: World;
afterEach(() => world.close());

const inZone = (letter: string, at: number, hasIpv6: { outside: boolean; inside: boolean }): SubnetSpec[] => [
  {
    ...{ id: `public-${letter}`, isPublic: true, isIpv6: hasIpv6.outside },
    ...{ cidrBlock: `10.0.${at}.0/24`, availabilityZone: `us-east-1${letter}` },
  },
  {
    ...{ id: `private-${letter}`, isIpv6: hasIpv6.inside },
    ...{ cidrBlock: `10.0.${at + 1}.0/24`, availabilityZone: `us-east-1${letter}` },
  },
];
const DUAL = inZone('a', 0, { outside: true, inside: true });
const OLD = inZone('b', 2, { outside: false, inside: true });

const start = async (subnets: SubnetSpec[]) => {
  world = await startWorld({ network: { vpc: { ipv6: {} }, subnets } });
  return create(world);
};

const seen = () => ({
  balancers: [...world.account.elbv2().loadBalancers.values()].map(({ ipAddressType, subnets }) => ({
    ipAddressType,
    zones: subnets.map(({ zone }) => zone),
  })),
  groups: [...world.account.elbv2().targetGroups.values()].map(({ ipAddressType }) => ipAddressType),
});
const IN_A = { balancers: [{ ipAddressType: 'dualstack', zones: ['us-east-1a'] }], groups: ['ipv6'] };
const zones = async () => (await world.awsCluster()).status?.failureDomains;

describe('the load balancer of a VPC with IPv6', () => {
  it('is only in subnets with IPv6, and control plane machines only in its zones', async () => {
    expect(await start([...OLD, ...DUAL])).toBe(true);
    expect(seen()).toEqual(IN_A);
    expect(await zones()).toEqual({ 'us-east-1a': { controlPlane: true }, 'us-east-1b': { controlPlane: false } });
  });

  it('is unchanged if a subnet without IPv6 is added', async () => {
    expect(await start(DUAL)).toBe(true);
    await world.objects.mutate(kinds.awsCluster, KEY, ({ spec, ...rest }) => ({
      ...rest,
      spec: { ...spec, network: { ...spec.network, subnets: [...(spec.network?.subnets ?? []), ...OLD] } },
    }));
    expect(await create(world)).toBe(true);
    expect(seen()).toEqual(IN_A);
  });

  it('is IPv4-only if none of its subnets has both families', async () => {
    expect(await start(OLD)).toBe(true);
    expect(seen()).toEqual({ balancers: [{ ipAddressType: 'ipv4', zones: ['us-east-1b'] }], groups: ['ipv4'] });
  });
});
