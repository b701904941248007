import { describe, expect, it } from 'vitest';
import type { ObservedSubnet } from '../network/subnets/model.ts';
import type { DesiredService } from './model.ts';
import { type ServicePlaces, serviceSubnets } from './subnets.ts';

const RED = { namespace: 'default', name: 'red' };
const subnet = (id: string, zone: string, tags: Record<string, string> = {}): ObservedSubnet => ({
  ...{ id, zone, tags, vpcId: 'vpc-1', cidrBlock: '10.0.0.0/24', mapsPublicIp: false },
});
const table = (id: string, subnetIds: string[], target: string, isMain = false) => ({
  ...{ id, isMain, vpcId: 'vpc-1', tags: {} },
  routes: [{ destination: '0.0.0.0/0', target, isBlackhole: false }],
  associations: subnetIds.map((subnetId) => ({ id: `a-${subnetId}`, subnetId })),
});
const places = (subnets: ObservedSubnet[], changes: Partial<ServicePlaces> = {}): ServicePlaces => ({
  vpcId: 'vpc-1',
  subnets,
  routeTables: [table('rtb-main', [], 'igw-1', true), table('rtb-private', ['subnet-p'], 'nat-1')],
  zoneTypes: new Map(),
  ...changes,
});
const choose = (at: ServicePlaces, desired: Partial<DesiredService> = {}): string[] =>
  serviceSubnets(RED, { isInternal: false, ...desired } as DesiredService, at).map(({ subnetId }) => subnetId);

describe('the subnets of a load balancer', () => {
  const ELB = { 'kubernetes.io/role/elb': '1' };
  const OWN = { 'kubernetes.io/cluster/red': 'shared' };

  it.each<[string, ObservedSubnet[], string[]]>([
    ['one in each zone, by zone', [subnet('subnet-2', 'b'), subnet('subnet-1', 'a')], ['subnet-1', 'subnet-2']],
    ['public ones', [subnet('subnet-p', 'a'), subnet('subnet-1', 'b')], ['subnet-1']],
    ['the one with the tag of the role', [subnet('subnet-1', 'a', OWN), subnet('subnet-2', 'a', ELB)], ['subnet-2']],
    ['the one with the tag of the cluster', [subnet('subnet-1', 'a'), subnet('subnet-2', 'a', OWN)], ['subnet-2']],
    ['the one with the smaller id', [subnet('subnet-2', 'a'), subnet('subnet-1', 'a')], ['subnet-1']],
    [
      'not those of another cluster',
      [subnet('subnet-1', 'a', { 'kubernetes.io/cluster/blue': 'owned' }), subnet('subnet-2', 'b')],
      ['subnet-2'],
    ],
  ])('are %s', (_, subnets, chosen) => {
    expect(choose(places(subnets))).toEqual(chosen);
  });

  it('may be private for an internal load balancer', () => {
    expect(choose(places([subnet('subnet-p', 'a')]), { isInternal: true })).toEqual(['subnet-p']);
  });

  it('are never in local zones', () => {
    const at = places([subnet('subnet-1', 'a'), subnet('subnet-2', 'lax')], {
      zoneTypes: new Map([['lax', 'local-zone']]),
    });
    expect(choose(at)).toEqual(['subnet-1']);
  });

  it('may be named by id and by name, in the order of the annotation', () => {
    const at = places([subnet('subnet-1', 'a'), subnet('subnet-2', 'b', { Name: 'front' })]);
    expect(choose(at, { subnets: ['front', 'subnet-1'] })).toEqual(['subnet-2', 'subnet-1']);
  });

  it.each<[string, Partial<DesiredService>, string]>([
    ['an unknown subnet', { subnets: ['subnet-9'] }, '"subnet-9": VPC vpc-1 has no such subnet'],
    ['an ambiguous name', { subnets: ['twin'] }, '"twin": more than one subnet'],
    ['an empty list', { subnets: [] }, 'names no subnet'],
    [
      'another number of addresses',
      { privateAddresses: ['10.0.0.9', '10.0.0.8', '10.0.0.7'] },
      'must have 2 addresses',
    ],
  ])('are refused: %s', (_, desired, reason) => {
    const at = places([subnet('subnet-1', 'a', { Name: 'twin' }), subnet('subnet-2', 'b', { Name: 'twin' })]);
    expect(() => choose(at, desired)).toThrow(reason);
  });

  it('are reported as missing if the VPC has none', () => {
    expect(() => choose(places([subnet('subnet-p', 'a')]))).toThrow('there is no public subnet');
  });
});
