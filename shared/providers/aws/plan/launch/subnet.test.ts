import { describe, expect, it } from 'vitest';
import type { AWSCluster, AWSMachine, Machine } from '../../../../kinds/index.ts';
import { LABEL } from '../../../../plan/labels.ts';
import { chooseNamed, clusterPlaces } from './subnet.ts';

const cluster = (ipType: string | undefined, subnets: object[]): AWSCluster =>
  ({
    metadata: {},
    spec: { network: { vpc: { id: 'vpc-1', ipv6: {} }, subnets } },
    status: { networkStatus: { apiServerElb: { elbListeners: [{ targetGroup: { ipType } }] } } },
  }) as unknown as AWSCluster;

const subnet = (id: string, more: { cidrBlock?: string; isIpv6?: boolean }) => ({
  id,
  resourceID: id,
  availabilityZone: 'a',
  ...more,
});
const OLD = subnet('old', { cidrBlock: '10.0.0.0/24' });
const DUAL = subnet('dual', { cidrBlock: '10.0.1.0/24', isIpv6: true });
const NEW = subnet('new', { isIpv6: true });

const placesOf = (awsCluster: AWSCluster, isControlPlane = true, failureDomain = 'a') => {
  const labels = isControlPlane ? { [LABEL.controlPlane]: '' } : {};
  const machine = { metadata: { name: 'm', labels }, spec: { failureDomain } } as unknown as Machine;
  const choice = clusterPlaces(machine, { spec: {} } as AWSMachine, awsCluster);
  return 'problem' in choice ? choice.problem : choice.places.map(({ id }) => id);
};

describe('a control plane machine of a cluster with IPv6', () => {
  it.each([
    ['ipv6', ['dual', 'new']],
    ['ipv4', ['old', 'dual']],
    [undefined, ['old', 'dual', 'new']],
  ])('is placed where a target group of %s reaches it', (ipType, places) => {
    expect(placesOf(cluster(ipType, [OLD, DUAL, NEW]))).toEqual(places);
  });

  it('is placed nowhere if the target group reaches no subnet', () => {
    const message = 'the target groups of the API cannot reach instances in any private subnet in failure domain a';
    expect(placesOf(cluster('ipv6', [OLD]))).toBe(message);
  });
});

describe('the subnet that a machine of a cluster with IPv6 names', () => {
  const found = ({ id, cidrBlock, isIpv6 }: { id: string; cidrBlock?: string; isIpv6?: boolean }) => [
    { id, vpcId: 'vpc-1', zone: 'a', tags: {}, hasIpv6: isIpv6 === true, cidrBlock },
  ];
  const choose = (ipType: string, subnet: Parameters<typeof found>[0], labels: Record<string, string>) => {
    const machine = { metadata: { name: 'm', labels }, spec: {} } as unknown as Machine;
    const infrastructure = { spec: { subnet: { id: subnet.id } } } as AWSMachine;
    const choice = chooseNamed(machine, infrastructure, cluster(ipType, []), found(subnet));
    return 'problem' in choice ? choice.problem : choice.places.map(({ id }) => id);
  };

  it.each([
    ['ipv6', OLD],
    ['ipv4', NEW],
  ])('is refused for a control plane machine if no target group of %s reaches it', (ipType, subnet) => {
    expect(choose(ipType, subnet, { [LABEL.controlPlane]: '' })).toBe(
      `spec.subnet.id: ${subnet.id}: the target groups of the API cannot reach instances in ${subnet.id}`,
    );
    expect(choose(ipType, subnet, {})).toEqual([subnet.id]);
  });

  it.each(['ipv6', 'ipv4'])('is used if the target groups of %s reach it', (ipType) => {
    expect(choose(ipType, DUAL, { [LABEL.controlPlane]: '' })).toEqual(['dual']);
  });
});

it('workers are placed in any private subnet', () => {
  expect(placesOf(cluster('ipv6', [OLD, DUAL]), false)).toEqual(['old', 'dual']);
});
