import { describe, expect, it } from 'vitest';
import type { AWSCluster, AWSMachineTemplate } from '../../../../kinds/index.ts';
import type { LoadBalancerStatus } from '../../../../kinds/schema/aws-load-balancer.ts';
import { type Charge, networkCharges } from './charges.ts';
import { plannedNetworkCharges, templateCharges } from './planned.ts';

const clusterOf = (spec: AWSCluster['spec'], status: AWSCluster['status'] = {}): AWSCluster =>
  ({ apiVersion: '', kind: 'AWSCluster', metadata: { name: 'demo' }, spec, status }) as AWSCluster;

/** The quantity of each item. */
const counted = (charges: readonly Charge[]): Record<string, number> =>
  Object.fromEntries(
    [...Map.groupBy(charges, ({ item }) => item)].map(([item, same]) => [
      item,
      same.reduce((sum, { quantity }) => sum + quantity, 0),
    ]),
  );

const subnet = (zone: string, isPublic: boolean) => ({ id: `${zone}-${isPublic}`, availabilityZone: zone, isPublic });

const NLB = { loadBalancerType: 'nlb', scheme: 'internet-facing' } as const;

describe('the network of an AWSCluster that is new', () => {
  it.each<[string, AWSCluster['spec'], Record<string, number>]>([
    [
      'has a NAT gateway in each zone, and an address for it and for the load balancer',
      { network: { vpc: { availabilityZoneUsageLimit: 2 } }, controlPlaneLoadBalancer: NLB },
      { 'network load balancers': 1, 'public IPv4 addresses': 4, 'NAT gateways': 2 },
    ],
    [
      'has three zones by default, and no public address for an internal load balancer',
      { controlPlaneLoadBalancer: { ...NLB, scheme: 'internal' } },
      { 'network load balancers': 1, 'public IPv4 addresses': 3, 'NAT gateways': 3 },
    ],
    [
      'has NAT gateways in zones with public and private subnets',
      {
        network: { subnets: [subnet('a', true), subnet('a', false), subnet('b', true)] },
        controlPlaneLoadBalancer: NLB,
      },
      { 'network load balancers': 1, 'public IPv4 addresses': 3, 'NAT gateways': 1 },
    ],
    [
      "has no NAT gateways of its own in a user's VPC",
      {
        network: { vpc: { id: 'vpc-1' }, subnets: [subnet('a', true), subnet('a', false)] },
        controlPlaneLoadBalancer: NLB,
      },
      { 'network load balancers': 1, 'public IPv4 addresses': 1 },
    ],
    [
      "has no billed addresses with the user's own pool, and may have two load balancers or none",
      {
        network: { vpc: { availabilityZoneUsageLimit: 1, elasticIpPool: { publicIpv4Pool: 'ipv4pool-ec2-1' } } },
        controlPlaneLoadBalancer: { loadBalancerType: 'disabled' },
        secondaryControlPlaneLoadBalancer: { loadBalancerType: 'nlb', scheme: 'internal' },
      },
      { 'network load balancers': 1, 'NAT gateways': 1 },
    ],
  ])('%s', (_, spec, expected) => {
    expect(counted(plannedNetworkCharges(clusterOf(spec)))).toEqual(expected);
  });
});

it('a machine of a template has a public address only if it requests one', () => {
  const template = (publicIP: boolean) =>
    ({
      metadata: { name: 't' },
      spec: { template: { spec: { instanceType: 't3.large', publicIP, rootVolume: { size: 8, type: 'gp3' } } } },
    }) as AWSMachineTemplate;
  expect(counted(templateCharges(template(false)))).toEqual({ 't3.large': 1, 'gp3 volumes of 8 GiB': 1 });
  expect(counted(templateCharges(template(true)))).toMatchObject({ 'public IPv4 addresses': 1 });
});

it('an existing network is counted with the load balancer, the NAT gateways and the bastion of the AWSCluster', () => {
  const subnets = ['nat-1', 'nat-2', 'nat-2', undefined].map((natGatewayId, at) => ({ id: String(at), natGatewayId }));
  const bastion = { id: 'i-1', type: 't3.micro', publicIp: '192.0.2.1', instanceState: 'running' };
  const apiServerElb: LoadBalancerStatus = {
    dnsName: 'a.example',
    loadBalancerType: 'classic',
    scheme: 'internal',
    availabilityZones: ['a'],
  };
  const status = { bastion, networkStatus: { apiServerElb } };
  expect(counted(networkCharges(clusterOf({ network: { subnets } }, status)))).toEqual({
    'classic load balancers': 1,
    'NAT gateways': 2,
    'public IPv4 addresses': 3,
    't3.micro': 1,
    'root volumes': 1,
  });
  const gone = { bastion: { ...bastion, instanceState: 'terminated' } };
  expect(networkCharges(clusterOf({}, gone))).toEqual([]);
});
