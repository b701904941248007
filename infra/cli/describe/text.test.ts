import { expect, it } from 'vitest';
import type { Event } from '../../../shared/kinds/index.ts';
import { ageOf } from './age.ts';
import { fleetRowOf, fleetText } from './fleet.ts';
import { problemsOf } from './problems.ts';
import { treeOf } from './rows.ts';
import { makeShowConditions } from './show-conditions.ts';
import { clusterOf, condition, NOW } from './test-objects.ts';
import { describeText } from './text.ts';

const draw = (objects: ReturnType<typeof clusterOf>, options: { show?: string; events?: number } = {}): string[] => {
  const { events } = objects;
  const description = {
    namespace: 'default',
    endpoint: '',
    problems: problemsOf(objects),
    tree: treeOf(objects),
    events,
  };
  const showConditions = makeShowConditions(options.show);
  const paint = (_: string, text: string) => text;
  return describeText(description, { now: NOW, showConditions, events: options.events ?? 10, paint }).split('\n');
};

it('draws a healthy cluster as a tree', () => {
  expect(draw(clusterOf())).toEqual([
    'Cluster demo  namespace default  Available',
    '',
    'NAME                             STATE            VERSION   ZONE         INSTANCE        NODE               AGE',
    'Cluster demo                     Available                                                                  10m',
    '├─ AWSCluster demo               Ready                                                                      10m',
    '├─ KubeadmControlPlane demo-cp   1 of 1 running   v1.34.0                                                   10m',
    '│  └─ Machine demo-cp-a          Running          v1.34.0   us-east-1a   i-demo-cp-a     node-demo-cp-a     10m',
    '└─ MachineDeployment demo-md     1 of 1 running   v1.34.0                                                   10m',
    '   └─ MachineSet demo-md-a       1 of 1 running   v1.34.0                                                   10m',
    '      └─ Machine demo-md-a-b     Running          v1.34.0   us-east-1a   i-demo-md-a-b   node-demo-md-a-b   10m',
    '',
  ]);
});

it('shows problems first, with the whole message and advice', () => {
  const message = 'AddressLimitExceeded: too many.\nSecond line.';
  const infrastructure = [condition('NatGatewaysReady', 'False', { severity: 'Error', reason: 'Failed', message })];
  expect(draw(clusterOf({ infrastructure })).slice(1, 7)).toEqual([
    '',
    'Problems',
    '  ✘ AWSCluster demo: NatGatewaysReady (Failed) for 5m',
    '    AddressLimitExceeded: too many.',
    '    Second line.',
    expect.stringMatching(/^ {4}Next: Release unused Elastic IP addresses/),
  ]);
});

it('shows a message that several conditions and objects share once', () => {
  const why = { reason: 'InspectionFailed', message: 'Waiting for Cluster control plane to be initialized' };
  const types = ['NodeHealthy', 'NodeReady', 'EtcdPodHealthy', 'EtcdMemberHealthy'];
  const conditions = types.map((type) => condition(type, 'Unknown', why));
  expect(draw(clusterOf({ machine: conditions, infrastructure: conditions.slice(0, 1) })).slice(2, 5)).toEqual([
    'Waiting for',
    '  … Machine demo-md-a-b, AWSCluster demo: NodeHealthy, NodeReady, EtcdPodHealthy and 1 more (InspectionFailed) for 5m',
    '    Waiting for Cluster control plane to be initialized',
  ]);
});

it('shows the infrastructure object of a machine only if the object is not ready', () => {
  expect(draw(clusterOf()).join()).not.toContain('AWSMachine');
  const instance = [condition('Ready', 'False')];
  expect(draw(clusterOf({ instance })).join('\n')).toMatch(/ {9}└─ AWSMachine demo-md-a-b +not Ready/);
});

it('shows the requested conditions', () => {
  expect(draw(clusterOf(), { show: 'all' }).filter((line) => line.includes('Ready: True'))).toHaveLength(4);
  expect(draw(clusterOf(), { show: 'machine/demo-cp-a' }).filter((line) => line.includes('Ready: True'))).toEqual([
    '│        Ready: True  Ready  5m',
  ]);
});

it('shows the last events and their counts', () => {
  const event = (reason: string, count: number) =>
    ({ reason, count, type: 'Warning', message: 'm', lastTimestamp: '2030-01-01T00:59:30Z', metadata: {} }) as Event;
  const events = [event('First', 1), event('Second', 3)];
  expect(draw(clusterOf({ events }), { events: 1 }).slice(-3)).toEqual([
    'Events',
    expect.stringMatching(/^ {2}30s +Warning +Second +\S+ +m \(3 times\)$/),
    '',
  ]);
  expect(draw(clusterOf({ events }), { events: 0 }).join()).not.toContain('Events');
});

it.each([
  ['2030-01-01T00:59:01Z', '59s'],
  ['2030-01-01T00:56:40Z', '3m20s'],
  ['2030-01-01T00:50:00Z', '10m'],
  ['2029-12-31T20:00:00Z', '5h'],
  ['2029-12-20T01:00:00Z', '12d'],
  ['2030-01-01T02:00:00Z', '0s'],
])('%s is %s ago', (since, age) => {
  expect(ageOf(since, NOW)).toBe(age);
});

it('lists clusters with a reason that a person can act on', () => {
  const message =
    '* RemoteConnectionProbe: Remote connection not established yet\n* InfrastructureReady: no addresses\n  * more';
  const { cluster } = clusterOf({ cluster: [condition('Available', 'False', { message })] });
  const [header, line] = fleetText([fleetRowOf(cluster)], NOW).split('\n');
  expect(header).toMatch(/^NAMESPACE +NAME +PHASE +AVAILABLE +CONTROL PLANE +WORKERS +AGE +MESSAGE$/);
  expect(line).toMatch(/^default +demo +Pending +False +0\/0 +0\/0 +10m +InfrastructureReady: no addresses$/);
});

it('lists a cluster with a nested reason', () => {
  const message =
    '* WorkersAvailable:\n  * MachineDeployment demo-md: 0 available replicas\n  * MachineDeployment b: more';
  const { cluster } = clusterOf({ cluster: [condition('Available', 'False', { message })] });
  expect(fleetRowOf(cluster).why).toBe('WorkersAvailable: MachineDeployment demo-md: 0 available replicas');
});
