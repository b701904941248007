import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import type { AWSMachine } from '../../../shared/kinds/index.ts';
import { LIST_PRICES } from '../../../shared/providers/aws/plan/cost/us-east-1.ts';
import { type Api, ApiError } from '../api/answer.ts';
import { ROOT } from '../paths.ts';
import { AWS_CLUSTER, onAws } from './aws-test-objects.ts';
import { costOf, costText, ownCostNote } from './cost.ts';
import { fleetCost, fleetRowOf, fleetText } from './fleet.ts';
import { detailsOf, readFleet } from './fleet-details.ts';
import { costLines, costTitle, topologyLines } from './section-lines.ts';
import { clusterOf, condition, NOW } from './test-objects.ts';
import { topologyOf } from './topology.ts';

const PRICES = [LIST_PRICES];
const plain = (_: string, text: string): string => text;

const linesOf = (awsCluster = AWS_CLUSTER): string[] => {
  const topology = topologyOf(onAws(awsCluster));
  return topology ? topologyLines(topology, plain) : [];
};

describe('the network of a cluster', () => {
  it('shows its VPC, its load balancer, and its subnets by zone with their NAT gateways', () => {
    expect(linesOf()).toEqual([
      '  VPC             vpc-1            10.0.0.0/16                               Ready',
      '  Load balancer   demo-apiserver   nlb, internet-facing   demo.elb.example   Ready',
      '',
      '  ZONE         SUBNET     TYPE      CIDR           NAT GATEWAY   MACHINES',
      '  us-east-1a   subnet-1   public    10.0.0.0/20    nat-1         2',
      '               subnet-2   private   10.0.64.0/18',
      '  us-east-1b   subnet-3   public    10.0.16.0/20',
    ]);
  });

  it('shows, from the conditions, what is not ready', () => {
    const conditions = ['VpcReady', 'NatGatewaysReady', 'LoadBalancerReady'].map((type) => condition(type, 'False'));
    const text = linesOf({ ...AWS_CLUSTER, status: { ...AWS_CLUSTER.status, conditions } } as typeof AWS_CLUSTER).join(
      '\n',
    );
    expect(text).toMatch(/VPC .* not Ready\n/);
    expect(text).toMatch(/demo\.elb\.example +not Ready\n/);
    expect(text).toContain('nat-1 (not Ready)');
  });

  it('shows for a new cluster a load balancer that is not ready, and no zones', () => {
    const { spec } = AWS_CLUSTER;
    const objects = { ...onAws({ ...AWS_CLUSTER, spec: { ...spec, network: {} }, status: {} }), machines: [] };
    expect(topologyOf(objects)).toEqual({
      region: 'us-east-1',
      vpc: { id: '', cidr: '', state: 'unknown' },
      natGateways: 'unknown',
      loadBalancers: [{ name: '', type: 'nlb', scheme: 'internet-facing', dnsName: '', state: 'not Ready' }],
      zones: [],
    });
  });

  it('is not shown if the infrastructure is not AWS', () => {
    expect(topologyOf(clusterOf())).toBeUndefined();
    expect(costOf(clusterOf(), PRICES)).toBeUndefined();
  });
});

describe('the cost of a cluster', () => {
  it('is listed by kind of resource, with the source of the prices and what is not included', () => {
    const cost = costOf(onAws(), PRICES);
    if (cost === undefined) throw new Error('no cost');
    expect([costTitle(cost), ...costLines(cost, plain)]).toEqual([
      'Cost per month: 188 USD',
      '  2   t3.large                 121.47',
      '  2   gp3 volumes of 40 GiB      6.40',
      '  1   network load balancers    16.43',
      '  3   public IPv4 addresses     10.95',
      '  1   NAT gateways              32.85',
      '  Estimated from AWS list prices of us-east-1, 2026-07-20.',
      '  Traffic, requests, snapshots and taxes are not counted (docs/cost.md).',
      `  ${ownCostNote(cost.own)}`,
    ]);
  });

  it('mentions what is not included, and the region of the prices', () => {
    const objects = onAws({ ...AWS_CLUSTER, spec: { ...AWS_CLUSTER.spec, region: 'eu-central-1' } });
    const [name = '', first] = [...objects.instances][0] ?? [];
    const spec = { ...(first as AWSMachine).spec, instanceType: 'x9.huge' };
    const instances = new Map([...objects.instances, [name, { ...first, spec } as AWSMachine]]);
    const cost = costOf({ ...objects, instances }, PRICES);
    if (cost === undefined) throw new Error('no cost');
    expect(costTitle(cost)).toBe('Cost per month: at least 127 USD');
    const text = costLines(cost, plain).join('\n');
    expect(text).toMatch(/1 {3}x9\.huge +not counted: no price\n/);
    expect(text).toContain('Prices of us-east-1 stand in for those of eu-central-1, which are not known.');
  });

  it.each([
    [{ usdPerMonth: 1234.5, isLowerBound: false, isUpperBound: false }, '1,235 USD'],
    [{ usdPerMonth: 12.345, isLowerBound: false, isUpperBound: true }, 'up to 12.35 USD'],
    [{ usdPerMonth: 12, isLowerBound: true, isUpperBound: true }, 'about 12.00 USD'],
    [{ isLowerBound: true, isUpperBound: false }, 'unknown'],
    [undefined, 'unknown'],
  ])('of %j is shown as %s', (cost, text) => {
    expect(costText(cost)).toBe(text);
  });

  it('of Windlass itself is listed separately: the share of the cluster, and the common cost of the installation', () => {
    const { own } = costOf(onAws(), PRICES) ?? {};
    if (own === undefined) throw new Error('no cost');
    expect(own.cluster).toBeGreaterThan(0.001);
    expect(own.cluster).toBeLessThan(0.1);
    const readme = readFileSync(join(ROOT, 'README.md'), 'utf8');
    expect(readme).toContain(`| about ${own.installation.toFixed(2)} a month: `);
    expect(ownCostNote(undefined)).toContain('no list has prices');
  });
});

describe('the objects of the fleet', () => {
  const answering = (code: number): Api => ({
    send: async () => {
      throw new ApiError({ kind: 'Status', apiVersion: 'v1', metadata: {}, status: 'Failure', code, message: 'no' });
    },
    close: () => {},
  });

  it('do not include kinds that the API does not serve', async () => {
    expect(await readFleet(answering(404), undefined)).toEqual({ awsClusters: [], awsMachines: [], machines: [] });
  });

  it('are refused to users who may not list them', async () => {
    await expect(readFleet(answering(403), 'default')).rejects.toThrow('no');
  });

  it('are read with three lists, from one namespace if it is specified', async () => {
    const paths: string[] = [];
    const send = async <T>(_: string, path: string): Promise<T> => {
      paths.push(path.split('?')[0] ?? '');
      return { items: [], metadata: {} } as T;
    };
    await readFleet({ send, close: () => {} }, 'team');
    expect(paths.sort()).toEqual([
      '/apis/cluster.x-k8s.io/v1beta2/namespaces/team/machines',
      '/apis/infrastructure.cluster.x-k8s.io/v1beta2/namespaces/team/awsclusters',
      '/apis/infrastructure.cluster.x-k8s.io/v1beta2/namespaces/team/awsmachines',
    ]);
  });
});

describe('the list of clusters', () => {
  const { cluster, machines, instances } = onAws();
  const awsMachines = [...instances.values()] as AWSMachine[];
  const fleet = { awsClusters: [AWS_CLUSTER], awsMachines, machines };

  it('shows drift and cost of each cluster, and the total', () => {
    const drifted = [condition('windlass.dev/NetworkDrifted', 'True')];
    const changed = { ...cluster, status: { ...cluster.status, conditions: drifted } } as typeof cluster;
    const ill = machines.map((machine, at) => ({
      ...machine,
      status: { ...machine.status, conditions: [condition('windlass.dev/Drifted', at === 0 ? 'True' : 'False')] },
    })) as typeof machines;
    const rows = [fleetRowOf(changed, detailsOf({ ...fleet, machines: ill }, PRICES))];
    const [header, line] = fleetText(rows, NOW).split('\n');
    expect(header).toMatch(/AGE +DRIFT +COST\/MONTH$/);
    expect(line).toMatch(/10m +network, 1 instance +188 USD$/);
    expect(fleetCost(rows)).toMatchObject({ usdPerMonth: 188.1, isLowerBound: false });
  });

  it('shows no cost for a cluster outside AWS, which the total does not include', () => {
    const other = { ...cluster, metadata: { ...cluster.metadata, name: 'other' }, spec: {} } as typeof cluster;
    const rows = [cluster, other].map((one) => fleetRowOf(one, detailsOf(fleet, PRICES)));
    expect(fleetText(rows, NOW).split('\n')[2]).toMatch(/10m +none +-$/);
    expect(fleetCost(rows)).toMatchObject({ isLowerBound: true });
    expect(fleetCost([])).toBeUndefined();
  });

  it('processes each object once, even for 1,000 clusters of 13 machines', () => {
    let looks = 0;
    const names = Array.from({ length: 1000 }, (_, at) => `c${at}`);
    const counting = (name: string, at: number) => ({
      metadata: { namespace: 'default', name: `${name}-${at}`, labels: {} },
      spec: {
        get clusterName() {
          looks += 1;
          return name;
        },
      },
    });
    const many = names.flatMap((name) => Array.from({ length: 13 }, (_, at) => counting(name, at)));
    const details = detailsOf(
      { awsClusters: [], awsMachines: [], machines: many as unknown as typeof machines },
      PRICES,
    );
    for (const name of names) details({ ...cluster, metadata: { namespace: 'default', name } } as typeof cluster);
    expect(looks).toBe(13_000);
  });
});
