import { describe, expect, it } from 'vitest';
import type { DesiredNetwork, ObservedNetwork } from '../model.ts';
import type { DiscoveredSubnet } from './discover.ts';
import { unmanagedProblem } from './problems.ts';

const VPC = { id: 'vpc-1', cidrBlock: '10.0.0.0/16', tags: {} };

/** The problem that a user must fix in a VPC with one subnet. */
const problemOf = (wanted: DesiredNetwork['loadBalancerSubnets'], isPublic: boolean) => {
  const found = { id: 'subnet-1', vpcId: VPC.id, zone: 'a', cidrBlock: '10.0.0.0/24', mapsPublicIp: false, tags: {} };
  const subnet = { key: 'a', specId: found.id, resourceId: found.id, isPublic, zone: 'a', cidrBlock: '10.0.0.0/24' };
  const target = isPublic ? 'igw-1' : 'nat-1';
  const table = { id: 'rtb-1', routes: [{ destination: '0.0.0.0/0', target, isBlackhole: false }] };
  const one = { subnet, field: 'spec.network.subnets[0]', found, table } as unknown as DiscoveredSubnet;
  const desired = { loadBalancerSubnets: wanted } as DesiredNetwork;
  return unmanagedProblem(desired, { subnets: [found] } as unknown as ObservedNetwork, VPC, [one]);
};

describe('a user’s VPC without a subnet that the load balancer prefers', () => {
  it('is refused only for an internet-facing load balancer', () => {
    expect(problemOf('public', false)).toContain('spec.network.subnets has no public subnet');
    expect(problemOf('public', true)).toBeUndefined();
    expect(problemOf('private', true)).toBeUndefined();
    expect(problemOf('private', false)).toBeUndefined();
  });
});
