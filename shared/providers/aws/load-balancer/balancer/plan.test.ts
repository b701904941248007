import { describe, expect, it } from 'vitest';
import type { AWSCluster } from '../../../../kinds/index.ts';
import { awsCluster, balancer, CLUSTER, desire, subnet } from '../test-load-balancing.ts';
import { planLoadBalancer } from './plan.ts';

const network = (...subnets: ReturnType<typeof subnet>[]): Partial<AWSCluster['spec']> => ({
  network: { vpc: { id: 'vpc-1' }, subnets },
});

const inZones = (...zones: [zone: string, subnetId: string][]) =>
  balancer({ zones: zones.map(([zone, subnetId]) => ({ zone, subnetId })) });

const IN_A_AND_B = inZones(['a', 'subnet-1'], ['b', 'subnet-2']);

describe('the subnets of a load balancer that exists', () => {
  it.each<{ reason: string; spec: Partial<AWSCluster['spec']>; subnetIds: string[] | undefined }>([
    {
      reason: 'do not change if another subnet of the same zone comes first now: AWS allows one in each zone',
      spec: network(subnet('subnet-3', 'a', true), subnet('subnet-1', 'a', true), subnet('subnet-2', 'b', true)),
      subnetIds: undefined,
    },
    {
      reason: 'do not change if a zone is removed',
      spec: network(subnet('subnet-2', 'b', true)),
      subnetIds: undefined,
    },
    {
      reason: 'stay attached if a zone is added',
      spec: network(subnet('subnet-1', 'a', true), subnet('subnet-2', 'b', true), subnet('subnet-5', 'c', true)),
      subnetIds: ['subnet-1', 'subnet-2', 'subnet-5'],
    },
    {
      reason: 'stay attached if one zone is added and another one is removed',
      spec: network(subnet('subnet-2', 'b', true), subnet('subnet-5', 'c', true)),
      subnetIds: ['subnet-1', 'subnet-2', 'subnet-5'],
    },
    {
      reason: 'are exactly those that the load balancer names',
      spec: { controlPlaneLoadBalancer: { loadBalancerType: 'nlb', subnets: ['subnet-2', 'subnet-3'] } },
      subnetIds: ['subnet-2', 'subnet-3'],
    },
  ])('$reason', ({ spec, subnetIds }) => {
    const plan = planLoadBalancer(CLUSTER, desire(spec), IN_A_AND_B);

    expect(plan.actions).toEqual(subnetIds ? [{ type: 'SetSubnets', arn: 'arn:lb', subnetIds }] : []);
  });

  it('become those of the spec if the load balancer has none of them', () => {
    const plan = planLoadBalancer(CLUSTER, desire(awsCluster().spec), inZones());

    expect(plan.actions).toEqual([{ type: 'SetSubnets', arn: 'arn:lb', subnetIds: ['subnet-1', 'subnet-2'] }]);
  });

  it('are attached again to a classic load balancer that was moved within a zone', () => {
    const desired = { ...desire(awsCluster().spec), type: 'classic' } as const;
    const plan = planLoadBalancer(CLUSTER, desired, {
      ...inZones(['a', 'subnet-9'], ['b', 'subnet-2']),
      type: 'classic',
    });

    expect(plan.actions).toEqual([{ type: 'SetSubnets', arn: 'arn:lb', subnetIds: ['subnet-1', 'subnet-2'] }]);
  });
});

describe('an IPv4 load balancer whose VPC gets IPv6', () => {
  const typesFor = (isIpv6: boolean) => {
    const subnets = [
      { ...subnet('subnet-1', 'subnet-1', true), cidrBlock: '10.0.0.0/24', isIpv6: true },
      { ...subnet('subnet-2', 'subnet-2', true), cidrBlock: '10.0.1.0/24', isIpv6 },
    ];
    const desired = desire({ network: { vpc: { id: 'vpc-1', ipv6: {} }, subnets } });
    return planLoadBalancer(CLUSTER, desired, balancer()).actions.map(({ type }) => type);
  };

  it('gets IPv6 addresses', () => {
    expect(typesFor(true)).toEqual(['SetIpAddressType']);
  });

  it('stays unchanged while it is in a subnet without IPv6, because AWS would refuse the change', () => {
    expect(typesFor(false)).toEqual([]);
  });
});
