import { describe, expect, it } from 'vitest';
import type { AWSClusterSpec } from '../../../../kinds/aws-cluster/schema.ts';
import type { SubnetSpec } from '../../../../kinds/index.ts';
import { desiredFrom } from '../desired.ts';
import type { ObservedNetwork } from '../model.ts';
import { accessWarnings } from './access.ts';

type Balancer = NonNullable<AWSClusterSpec['controlPlaneLoadBalancer']>;

const RULE: NonNullable<Balancer['ingressRules']>[number] = {
  description: 'office',
  protocol: 'tcp',
  fromPort: 6443,
  toPort: 6443,
  cidrBlocks: ['203.0.113.0/24'],
};
const OFFICE: Balancer = { ingressRules: [RULE] };
const SUBNET = { id: 'subnet-00000001', vpcId: 'vpc-1', zone: 'a', cidrBlock: '10.0.0.0/24', mapsPublicIp: false };
const NOTHING = { subnets: [], routeTables: [], addresses: [], natGateways: [], securityGroups: [] };

/** The warnings for a VPC that Windlass has yet to create, or for a user's VPC that contains `seen`. */
const warnings = (spec: AWSClusterSpec, seen?: Partial<ObservedNetwork>, apiServerPort?: number) => {
  const vpcs = seen ? [{ id: 'vpc-1', cidrBlock: '10.0.0.0/16', tags: {} }] : [];
  const observed = { ...NOTHING, vpcs, ...seen } as ObservedNetwork;
  const input = { cluster: { namespace: 'default', name: 'red' }, clusterUid: 'u', spec, apiServerPort };
  return accessWarnings({ desired: desiredFrom(input, observed), observed }, spec, apiServerPort);
};

const own = (balancer: Balancer, ...kinds: ('public' | 'private')[]) => {
  const subnets = kinds.map(
    (kind): SubnetSpec => ({ id: kind, availabilityZone: 'a', cidrBlock: '10.0.0.0/24', isPublic: kind === 'public' }),
  );
  return { controlPlaneLoadBalancer: balancer, network: { subnets } };
};

const users = (balancer: Balancer): AWSClusterSpec => ({
  controlPlaneLoadBalancer: balancer,
  network: { vpc: { id: 'vpc-1' }, subnets: [{ id: SUBNET.id }] },
});

/** A user's VPC whose private subnet routes outbound traffic through `target`. */
const out = (target: string): Partial<ObservedNetwork> => ({
  subnets: [{ ...SUBNET, tags: {} }],
  routeTables: [
    {
      ...{ id: 'rtb-1', vpcId: 'vpc-1', isMain: true, tags: {}, associations: [] },
      routes: [{ destination: '0.0.0.0/0', target, isBlackhole: false }],
    },
  ],
  natGateways: [{ id: 'nat-1', vpcId: 'vpc-1', subnetId: 'x', state: 'available', publicIp: '192.0.2.1', tags: {} }],
});

describe('the warning that nodes may not reach the API', () => {
  it('is given if a user’s rules are the only ones, because no NAT gateway is used', () => {
    expect(warnings(own(OFFICE, 'public'))).toEqual([
      expect.stringMatching(/^spec\.controlPlaneLoadBalancer\.ingressRules: .* to port 6443, .* 0\.0\.0\.0\/0/),
    ]);
    expect(warnings(users(OFFICE), out('tgw-1'))).toHaveLength(1);
    expect(warnings(own({ ingressRules: [{ ...RULE, cidrBlocks: ['0.0.0.0/0'] }] }, 'public'), undefined, 443)).toEqual(
      [expect.stringContaining('port 443')],
    );
  });

  it.each<{ reason: string; spec: AWSClusterSpec; seen?: Partial<ObservedNetwork> }>([
    { reason: 'NAT gateways do not exist yet', spec: own(OFFICE, 'public', 'private') },
    { reason: 'a user’s NAT gateway is used', spec: users(OFFICE), seen: out('nat-1') },
    { reason: 'there are no such rules', spec: own({}, 'public') },
    {
      reason: 'a rule admits everyone',
      spec: own({ ingressRules: [{ ...RULE, cidrBlocks: ['0.0.0.0/0'] }] }, 'public'),
    },
    { reason: 'the load balancer is internal', spec: users({ ...OFFICE, scheme: 'internal' }), seen: out('tgw-1') },
    { reason: 'there is no load balancer', spec: own({ ...OFFICE, loadBalancerType: 'disabled' }, 'public') },
    {
      reason: 'the group is the user’s own',
      spec: {
        ...users(OFFICE),
        network: { ...users(OFFICE).network, securityGroupOverrides: { 'apiserver-lb': 'sg-1' } },
      },
      seen: out('tgw-1'),
    },
  ])('is not given if $reason', ({ spec, seen }) => {
    expect(warnings(spec, seen)).toEqual([]);
  });
});
