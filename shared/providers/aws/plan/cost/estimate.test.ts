import { describe, expect, it } from 'vitest';
import type { AWSCluster, AWSMachine } from '../../../../kinds/index.ts';
import { estimateCost } from './estimate.ts';
import type { PriceList } from './prices.ts';
import { LIST_PRICES } from './us-east-1.ts';

const machineOf = (spec: Partial<AWSMachine['spec']> = {}, status: AWSMachine['status'] = {}): AWSMachine =>
  ({
    apiVersion: 'infrastructure.cluster.x-k8s.io/v1beta2',
    kind: 'AWSMachine',
    metadata: { name: 'm' },
    spec: { instanceType: 't3.large', rootVolume: { size: 40, type: 'gp3' }, ...spec },
    status,
  }) as AWSMachine;

const subnet = (zone: string, natGatewayId?: string) => ({
  id: `subnet-${zone}`,
  availabilityZone: zone,
  natGatewayId,
});

const clusterOf = (region: string | undefined, more: object = {}): AWSCluster =>
  ({
    apiVersion: 'infrastructure.cluster.x-k8s.io/v1beta2',
    kind: 'AWSCluster',
    metadata: { name: 'demo' },
    spec: {
      region,
      network: { subnets: ['a', 'b', 'c'].map((letter) => subnet(`us-east-1${letter}`, `nat-${letter}`)) },
    },
    status: {
      networkStatus: {
        apiServerElb: {
          dnsName: 'demo.elb.example',
          loadBalancerType: 'nlb',
          scheme: 'internet-facing',
          availabilityZones: ['us-east-1a', 'us-east-1b', 'us-east-1c'],
        },
      },
    },
    ...more,
  }) as AWSCluster;

const costOf = (machines: readonly AWSMachine[], awsCluster?: AWSCluster, own: readonly PriceList[] = []) =>
  estimateCost({ awsCluster, machines }, [...own, LIST_PRICES]);

const machines = (count: number, machine = machineOf()): AWSMachine[] => Array.from({ length: count }, () => machine);

describe('the cost of a cluster', () => {
  it('is that of its instances, volumes, load balancers, NAT gateways and addresses for 730 hours', () => {
    expect(costOf(machines(6), clusterOf('us-east-1'))).toEqual({
      usdPerMonth: 520.49,
      isLowerBound: false,
      isUpperBound: false,
      lines: [
        { item: 't3.large', quantity: 6, usdPerMonth: 364.42 },
        { item: 'gp3 volumes of 40 GiB', quantity: 6, usdPerMonth: 19.2 },
        { item: 'network load balancers', quantity: 1, usdPerMonth: 16.43 },
        { item: 'public IPv4 addresses', quantity: 6, usdPerMonth: 21.9 },
        { item: 'NAT gateways', quantity: 3, usdPerMonth: 98.55 },
      ],
      region: 'us-east-1',
      hasStandIns: false,
      sources: ['AWS list prices of us-east-1, 2026-07-20'],
      own: { cluster: expect.closeTo(0.007, 3), installation: expect.closeTo(4.77, 2) },
    });
  });

  it('includes the cost of Windlass itself by the number of machines, if its prices are known', () => {
    const own = (count: number, region: string) => costOf(machines(count), clusterOf(region)).own;
    expect(own(13, 'us-east-1')?.cluster).toBeCloseTo(2 * (own(6, 'us-east-1')?.cluster ?? 0), 9);
    expect(own(6, 'cn-north-1')).toBeUndefined();
  });

  it('is zero before anything exists', () => {
    expect(costOf([], clusterOf('us-east-1', { spec: {}, status: {} }))).toMatchObject({ usdPerMonth: 0, lines: [] });
  });

  it('is unknown while neither its AWSCluster nor a machine exists', () => {
    expect(costOf([])).toMatchObject({ isLowerBound: true, lines: [] });
    expect(costOf([])).not.toHaveProperty('usdPerMonth');
  });

  it('is known only in part if a type has no price', () => {
    const cost = costOf([machineOf(), machineOf({ instanceType: 'x9.huge' })]);
    expect(cost).toMatchObject({ usdPerMonth: 67.14, isLowerBound: true });
    expect(cost.lines).toContainEqual({ item: 'x9.huge', quantity: 1, unknown: 'no price' });
    expect(costOf([machineOf({ instanceType: 'x9.huge', rootVolume: undefined })])).not.toHaveProperty('usdPerMonth');
  });

  it.each<[string, Partial<AWSMachine['spec']>, string]>([
    ['a dedicated instance', { tenancy: 'dedicated' }, 'tenancy dedicated'],
    ['a capacity block', { marketType: 'CapacityBlock' }, 'capacity blocks'],
    ['an instance in a local zone', { providerID: 'aws:///us-east-1-bos-1a/i-1' }, 'zone us-east-1-bos-1a'],
  ])('does not count %s at the price of its type', (_, spec, unknown) => {
    expect(costOf([machineOf(spec)]).lines[0]).toEqual({ item: 't3.large', quantity: 1, unknown });
  });

  it.each<[string, Partial<AWSMachine['spec']>, number]>([
    ['the on-demand price', { spotMarketOptions: {} }, 60.74],
    ["the user's maximum price", { marketType: 'Spot', spotMarketOptions: { maxPrice: '0.05' } }, 36.5],
  ])('counts a spot instance with at most %s', (_, spec, usdPerMonth) => {
    const cost = costOf([machineOf(spec)]);
    expect(cost).toMatchObject({ isUpperBound: true });
    expect(cost.lines[0]).toEqual({ item: 't3.large, spot', quantity: 1, usdPerMonth });
  });

  it.each<[AWSMachine['status'], string[]]>([
    [{ instanceState: 'stopped' }, ['gp3 volumes of 40 GiB']],
    [{ instanceState: 'terminated' }, []],
    [
      { addresses: [{ type: 'ExternalIP', address: '192.0.2.1' }] },
      ['t3.large', 'public IPv4 addresses', 'gp3 volumes of 40 GiB'],
    ],
    [{ addresses: [{ type: 'ExternalIP', address: '2001:db8::1' }] }, ['t3.large', 'gp3 volumes of 40 GiB']],
  ])('of a machine with the status %j consists of %j', (status, items) => {
    expect(costOf([machineOf({}, status)]).lines.map(({ item }) => item)).toEqual(items);
  });

  it.each<[AWSMachine['spec']['rootVolume'], object]>([
    [{ size: 100, type: 'gp3', iops: 4000, throughput: 250 }, { usdPerMonth: 18 }],
    [{ size: 100, type: 'io1', iops: 1000 }, { usdPerMonth: 77.5 }],
    [{ size: 100, type: 'io2', iops: 1000 }, { unknown: 'no price' }],
    [{ size: 100 }, { unknown: 'type of the image' }],
    [undefined, { unknown: 'size of the image' }],
  ])('of the root volume %j is %j', (rootVolume, expected) => {
    expect(costOf([machineOf({ rootVolume })]).lines[1]).toMatchObject(expected);
  });

  it('names the other types that an instance may have', () => {
    const machine = machineOf();
    machine.metadata.annotations = { 'windlass.dev/instance-types': 'm5.large' };
    expect(costOf([machine]).lines[0]?.item).toBe('t3.large (or m5.large)');
  });
});

describe('the prices', () => {
  const own: PriceList = {
    name: 'your prices',
    date: '2026-11-01',
    regions: { 'eu-central-1': { instances: { 't3.large': 0.096 } } },
  };

  it('of us-east-1 are used for regions without prices, and the estimate says so', () => {
    const cost = costOf([machineOf()], clusterOf('eu-central-1', { status: {} }));
    expect(cost).toMatchObject({
      region: 'eu-central-1',
      hasStandIns: true,
      sources: ['AWS list prices of us-east-1, 2026-07-20'],
    });
  });

  it('of a user take precedence, one by one', () => {
    const cost = costOf([machineOf()], clusterOf('eu-central-1', { spec: { region: 'eu-central-1' }, status: {} }), [
      own,
    ]);
    expect(cost.lines[0]).toEqual({ item: 't3.large', quantity: 1, usdPerMonth: 70.08 });
    expect(cost.sources).toEqual([
      'your prices of eu-central-1, 2026-11-01',
      'AWS list prices of us-east-1, 2026-07-20',
    ]);
  });

  it('have no substitute in China, which has another currency', () => {
    expect(costOf([machineOf()], clusterOf('cn-north-1', { status: {} }))).not.toHaveProperty('usdPerMonth');
  });

  it('are those of the region of the zones, if the AWSCluster has no region', () => {
    expect(costOf([], clusterOf(undefined)).region).toBe('us-east-1');
  });

  it('of instances are read from the table, including continued lines', () => {
    const prices = LIST_PRICES.regions['us-east-1']?.instances ?? {};
    expect(Object.keys(prices)).toHaveLength(355);
    expect(prices).toMatchObject({
      't2.nano': 0.0058,
      'm5.large': 0.096,
      'm7i-flex.xlarge': 0.19152,
      'r8i.96xlarge': 26.67264,
    });
    for (const price of Object.values(prices)) expect(price).toBeGreaterThan(0);
  });
});
