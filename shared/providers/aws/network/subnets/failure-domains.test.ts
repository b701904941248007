import { describe, expect, it } from 'vitest';
import type { AWSCluster } from '../../../../kinds/index.ts';
import { withFailureDomains } from './failure-domains.ts';

const subnet = (id: string, availabilityZone: string, isPublic: boolean) => ({ id, availabilityZone, isPublic });
const PRIVATES = ['a', 'b', 'c'].map((zone) => subnet(`private-${zone}`, zone, false));

/** The failure domains for control plane machines, and all failure domains. */
const domains = (
  controlPlaneLoadBalancer: AWSCluster['spec']['controlPlaneLoadBalancer'],
  availabilityZones: string[] | undefined,
  subnets = [subnet('public-a', 'a', true), ...PRIVATES],
) => {
  const { status } = withFailureDomains({
    apiVersion: 'infrastructure.cluster.x-k8s.io/v1beta2',
    kind: 'AWSCluster',
    metadata: { name: 'red' },
    spec: { controlPlaneLoadBalancer, network: { subnets } },
    ...(availabilityZones ? { status: { networkStatus: { apiServerElb: { availabilityZones } } } } : {}),
  });
  const all = Object.entries(status?.failureDomains ?? {});
  return [all.filter(([, { controlPlane }]) => controlPlane).map(([zone]) => zone), all.map(([zone]) => zone)];
};

describe('the failure domains', () => {
  it('are the zones of private subnets, for the control plane only those in which the load balancer has a subnet', () => {
    expect(domains({}, undefined)).toEqual([['a'], ['a', 'b', 'c']]);
    expect(domains({ scheme: 'internal' }, undefined)[0]).toEqual(['a', 'b', 'c']);
    expect(domains({ subnets: ['private-b'] }, undefined)[0]).toEqual(['b']);
  });

  it('follow the load balancer if it is in subnets that the network does not list', () => {
    const named = { subnets: ['subnet-0aaaaaaa', 'subnet-0bbbbbbb'] };

    expect(domains(named, undefined, PRIVATES)).toEqual([[], ['a', 'b', 'c']]);
    expect(domains(named, ['a', 'b'], PRIVATES)).toEqual([
      ['a', 'b'],
      ['a', 'b', 'c'],
    ]);
  });
});
