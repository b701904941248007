import { expect, it } from 'vitest';
import { problemsOf } from './problems.ts';
import { treeOf } from './rows.ts';
import { clusterOf, condition } from './test-objects.ts';

it('finds nothing wrong with a healthy cluster at rest', () => {
  expect(problemsOf(clusterOf())).toEqual([]);
});

it('lists details instead of the conditions that summarize them, errors first', () => {
  const found = problemsOf(
    clusterOf({
      cluster: [condition('Available', 'False', { message: '* InfrastructureReady: no addresses' })],
      machine: [condition('NodeHealthy', 'Unknown', { reason: 'NodeProvisioning', message: 'Waiting for a Node' })],
      infrastructure: [
        condition('NatGatewaysReady', 'False', {
          severity: 'Error',
          reason: 'NatGatewaysReconciliationFailed',
          message: 'AddressLimitExceeded: The maximum number of addresses has been reached.',
        }),
      ],
    }),
  );
  expect(found.map(({ objects, type, isError }) => [objects.join(), type, isError])).toEqual([
    ['AWSCluster demo', 'NatGatewaysReady', true],
    ['Machine demo-md-a-b', 'NodeHealthy', false],
  ]);
  expect(found.map(({ next }) => next)).toEqual([
    expect.stringContaining('Elastic IP'),
    expect.stringContaining('console output'),
  ]);
});

it('shows a summary where nothing says more', () => {
  const cluster = [condition('Available', 'Unknown', { message: 'the last look is too old' })];
  expect(problemsOf(clusterOf({ cluster }))).toMatchObject([
    { objects: ['Cluster demo'], type: 'Available', message: 'the last look is too old' },
  ]);
});

it('lists the same problem of several objects once, since its first', () => {
  const same = { reason: 'InstanceProvisionFailed', message: 'InsufficientInstanceCapacity: none', severity: 'Error' };
  const found = problemsOf(
    clusterOf({
      instance: [condition('InstanceReady', 'False', same)],
      machine: [condition('InstanceReady', 'False', { ...same, lastTransitionTime: '2030-01-01T00:20:00Z' })],
    }),
  );
  expect(found).toMatchObject([
    { objects: ['AWSMachine demo-md-a-b', 'Machine demo-md-a-b'], since: '2030-01-01T00:20:00Z' },
  ]);
});

it('counts work in progress as no problem, but a deletion that waits and a pause', () => {
  const busy = ['RollingOut', 'ScalingUp', 'Remediating', 'Deleting', 'Paused'].map((type) => condition(type, 'True'));
  expect(problemsOf(clusterOf({ cluster: busy })).map(({ type }) => type)).toEqual(['Deleting', 'Paused']);
});

it('does not call a connection an error that was never made', () => {
  const probe = { reason: 'ProbeFailed', message: 'Remote connection not established yet' };
  const found = problemsOf(clusterOf({ cluster: [condition('RemoteConnectionProbe', 'False', probe)] }));
  expect(found).toMatchObject([{ type: 'RemoteConnectionProbe', isError: false }]);
  expect(found[0]).not.toHaveProperty('next');
});

it.each([
  'windlass.dev/Drifted',
  'windlass.dev/NetworkDrifted',
  'windlass.dev/InstanceAtRisk',
  'windlass.dev/SweepFailed',
])('counts %s as a problem if it is True, and not if it is False', (type) => {
  expect(problemsOf(clusterOf({ machine: [condition(type, 'True')] })).map((one) => one.type)).toEqual([type]);
  expect(problemsOf(clusterOf({ machine: [condition(type, 'False')] }))).toEqual([]);
});

it('waits for drift to be repaired, which needs no advice', () => {
  const message = 'InstanceTags: Name has another value; this is repaired';
  const found = problemsOf(clusterOf({ machine: [condition('windlass.dev/Drifted', 'True', { message })] }));
  expect(found).toMatchObject([{ isError: false }]);
  expect(found[0]).not.toHaveProperty('next');
});

it('gives advice about drift that is only reported, and marks its machine in the tree', () => {
  const message = 'InstanceType: the type is t3.small; this is only reported';
  const objects = clusterOf({
    machine: [condition('windlass.dev/Drifted', 'True', { reason: 'InstanceType', message })],
  });
  expect(problemsOf(objects)).toMatchObject([
    { isError: true, next: expect.stringContaining('windlass.dev/on-drift') },
  ]);
  expect(JSON.stringify(treeOf(objects))).toContain('"state":"Running, drifted"');
});

it('counts an upgrade over several minors as work in progress', () => {
  const upgrade = 'windlass.dev/ChainedUpgrade';
  for (const status of ['True', 'False'] as const)
    expect(problemsOf(clusterOf({ cluster: [condition(upgrade, status)] }))).toEqual([]);
});
