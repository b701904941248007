import { describe, expect, it } from 'vitest';
import { problemsOf } from './problems.ts';
import { treeOf } from './rows.ts';
import { clusterOf, condition } from './test-objects.ts';

it('reports no problem of a healthy cluster', () => {
  expect(problemsOf(clusterOf())).toEqual([]);
});

it('reports details instead of the conditions that summarize them, errors first', () => {
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

it('reports a summary if no other condition has details', () => {
  const cluster = [condition('Available', 'Unknown', { message: 'the last look is too old' })];
  expect(problemsOf(clusterOf({ cluster }))).toMatchObject([
    { objects: ['Cluster demo'], type: 'Available', message: 'the last look is too old' },
  ]);
});

it('reports the same problem of several objects once, with its earliest time', () => {
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

it('does not report work in progress as a problem, except a waiting deletion and a pause', () => {
  const busy = ['RollingOut', 'ScalingUp', 'Remediating', 'Deleting', 'Paused'].map((type) => condition(type, 'True'));
  expect(problemsOf(clusterOf({ cluster: busy })).map(({ type }) => type)).toEqual(['Deleting', 'Paused']);
});

it('does not report a connection that was never established as an error', () => {
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
])('reports %s as a problem if it is True, and not if it is False', (type) => {
  expect(problemsOf(clusterOf({ machine: [condition(type, 'True')] })).map((one) => one.type)).toEqual([type]);
  expect(problemsOf(clusterOf({ machine: [condition(type, 'False')] }))).toEqual([]);
});

it('gives no advice about drift that is being repaired', () => {
  const message = 'InstanceTags: Name has another value; this is repaired';
  const found = problemsOf(clusterOf({ machine: [condition('windlass.dev/Drifted', 'True', { message })] }));
  expect(found).toMatchObject([{ isError: false }]);
  expect(found[0]).not.toHaveProperty('next');
});

it('gives advice about drift that is only reported, and marks the machine in the tree', () => {
  const message = 'InstanceType: the type is t3.small; this is only reported';
  const objects = clusterOf({
    machine: [condition('windlass.dev/Drifted', 'True', { reason: 'InstanceType', message })],
  });
  expect(problemsOf(objects)).toMatchObject([
    { isError: true, next: expect.stringContaining('windlass.dev/on-drift') },
  ]);
  expect(JSON.stringify(treeOf(objects))).toContain('"state":"Running, drifted"');
});

it('reports an upgrade over several minor versions as work in progress', () => {
  const upgrade = 'windlass.dev/ChainedUpgrade';
  for (const status of ['True', 'False'] as const)
    expect(problemsOf(clusterOf({ cluster: [condition(upgrade, status)] }))).toEqual([]);
});

describe('a problem that no other condition reports', () => {
  const details = [condition('NodeHealthy', 'Unknown', { message: 'Waiting for a Node' })];

  it.each([
    ['ControlPlaneAvailable', 'ObjectDoesNotExist', 'KubeadmControlPlane demo does not exist'],
    ['InfrastructureReady', 'ObjectDeleted', 'AWSCluster demo has been deleted'],
  ])('is listed first if an object is missing (%s, %s)', (type, reason, message) => {
    const cluster = [condition('Available', 'False'), condition(type, 'False', { reason, message })];
    expect(problemsOf(clusterOf({ cluster, machine: details })).map((one) => [one.type, one.isError])).toEqual([
      [type, true],
      ['NodeHealthy', false],
    ]);
  });

  it('is not listed if the Cluster is being deleted, and its objects disappear one by one', () => {
    const missing = condition('ControlPlaneAvailable', 'False', { reason: 'ObjectDeleted', message: 'gone' });
    const objects = clusterOf({ cluster: [missing], machine: details });
    objects.cluster.metadata.deletionTimestamp = '2030-01-01T00:58:00Z';
    expect(problemsOf(objects).map(({ type }) => type)).toEqual(['NodeHealthy']);
  });

  it.each([
    ['ScalingUp', 'Scaling up from 0 to 3 replicas:\n* AWSMachineTemplate default/demo does not exist'],
    ['RollingOut', 'Rolling out 3 not up-to-date replicas\n* Version v1, v2 required\nIt waits:\n* Machine a is sick'],
  ])('is listed if %s waits', (type, message) => {
    const objects = clusterOf();
    const [deployment] = objects.deployments;
    if (deployment) deployment.status = { conditions: [condition(type, 'True', { message })] };
    expect(problemsOf(objects)).toMatchObject([{ objects: ['MachineDeployment demo-md'], type, message }]);
  });

  it.each([
    ['ScalingUp', 'Scaling up from 0 to 3 replicas'],
    ['RollingOut', 'Rolling out 3 not up-to-date replicas\n* Version v1, v2 required'],
  ])('is not listed if %s makes progress', (type, message) => {
    const objects = clusterOf();
    const [deployment] = objects.deployments;
    if (deployment) deployment.status = { conditions: [condition(type, 'True', { message })] };
    expect(problemsOf(objects)).toEqual([]);
  });
});

it.each([
  ['NotUpToDate', condition('UpToDate', 'False'), 'Running, not up to date'],
  ['paused', condition('Paused', 'True'), 'Running, paused'],
  ['of an unknown kind of problem', condition('example.com/Licensed', 'False'), 'Running, not example.com/Licensed'],
])('does not show a machine as unready if it is Ready, but %s', (_, flaw, state) => {
  const tree = JSON.stringify(treeOf(clusterOf({ machine: [condition('Ready', 'True'), flaw] })));
  expect(tree).toContain(`"state":"${state}"`);
  expect(tree).not.toContain('not Ready');
});
