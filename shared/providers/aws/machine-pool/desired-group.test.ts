import { describe, expect, it } from 'vitest';
import type { AWSCluster, AWSMachinePool, MachinePool } from '../../../kinds/index.ts';
import { desiredGroup, groupSubnets, sizeProblem } from './desired-group.ts';
import { groupNameOf, namespaceOfGroup } from './name.ts';
import { suspendedProcesses } from './processes.ts';

const machinePool = (spec: object = {}, annotations = {}): MachinePool =>
  ({
    metadata: { namespace: 'default', name: 'workers', annotations },
    spec: { clusterName: 'red', replicas: 2, template: { spec: {} }, ...spec },
  }) as unknown as MachinePool;
const awsPool = (spec: object = {}): AWSMachinePool =>
  ({
    metadata: { namespace: 'default', name: 'p' },
    spec: { minSize: 1, maxSize: 3, ...spec },
  }) as unknown as AWSMachinePool;
const subnet = (id: string, availabilityZone: string, isPublic = false, tags = {}) => ({
  id,
  availabilityZone,
  isPublic,
  tags,
});
const cluster = {
  spec: {
    network: {
      subnets: [
        ...[subnet('pub-a', 'a', true), subnet('pri-a', 'a'), subnet('pub-b', 'b', true), subnet('pri-b', 'b')],
        subnet('pods-a', 'a', false, { 'sigs.k8s.io/cluster-api-provider-aws/association': 'secondary' }),
      ],
    },
  },
} as unknown as AWSCluster;

describe('the subnets of a group', () => {
  it.each<[string, string[] | object, { pool?: object; aws?: object; named?: string[] }]>([
    ['all private ones of the cluster', ['pri-a', 'pri-b'], {}],
    ['those that the pool names', ['x'], { named: ['x'], aws: { availabilityZones: ['a'] } }],
    ['all of the zones that it names', ['pub-a', 'pri-a', 'pods-a'], { aws: { availabilityZones: ['a'] } }],
    [
      'the public ones of its zones',
      ['pub-a'],
      { aws: { availabilityZones: ['a'], availabilityZoneSubnetType: 'public' } },
    ],
    [
      'those of its failure domains',
      ['pri-b'],
      { pool: { failureDomains: ['b'] }, aws: { availabilityZoneSubnetType: 'private' } },
    ],
    [
      'none, where a zone has none',
      { problem: 'spec.availabilityZones: the cluster has no public subnet in c' },
      { aws: { availabilityZones: ['a', 'c'], availabilityZoneSubnetType: 'public' } },
    ],
  ])('are %s', (_, expected, { pool, aws, named = [] }) => {
    expect(groupSubnets(machinePool(pool), awsPool(aws), cluster, named)).toEqual(expected);
  });
});

describe('the sizes of a group', () => {
  it('have to include the replicas, unless something else decides on these', () => {
    expect(sizeProblem(machinePool(), awsPool())).toBeUndefined();
    expect(sizeProblem(machinePool({ replicas: 4 }), awsPool())).toBe(
      'spec.replicas of MachinePool workers is 4, not between spec.minSize 1 and spec.maxSize 3',
    );
    const managed = machinePool({ replicas: 4 }, { 'cluster.x-k8s.io/replicas-managed-by': 'x' });
    expect(sizeProblem(managed, awsPool())).toBeUndefined();
    expect(desiredGroup(managed, awsPool(), { subnetIds: [], tags: {} }).desired).toBeUndefined();
  });
});

describe('a group', () => {
  it('drains the nodes of instances for as long as the pool says, up to two hours', () => {
    const hookOf = (nodeDrainTimeoutSeconds?: number) => {
      const deletion = nodeDrainTimeoutSeconds === undefined ? {} : { deletion: { nodeDrainTimeoutSeconds } };
      const { hooks } = desiredGroup(machinePool({ template: { spec: deletion } }), awsPool(), {
        subnetIds: [],
        tags: {},
      });
      return hooks.find(({ LifecycleHookName }) => LifecycleHookName === 'windlass-drain');
    };
    expect(hookOf()).toMatchObject({ HeartbeatTimeout: 900, DefaultResult: 'CONTINUE' });
    expect(hookOf(120)?.HeartbeatTimeout).toBe(120);
    expect(hookOf(5)?.HeartbeatTimeout).toBe(30);
    expect(hookOf(86400)?.HeartbeatTimeout).toBe(7200);
  });

  it('has a name that only its pool has, and that fits', () => {
    expect(groupNameOf(awsPool())).toBe('default.p');
    expect(namespaceOfGroup('default.p.q')).toBe('default');
    expect(namespaceOfGroup('other')).toBeUndefined();
    const long = (name: string) => groupNameOf({ metadata: { namespace: 'n', name } });
    expect(long('a'.repeat(200))).toHaveLength(128);
    expect(long('a'.repeat(200))).not.toBe(long(`${'a'.repeat(199)}b`));
  });

  it.each<[string[], object]>([
    [[], {}],
    [['AZRebalance', 'Launch'], { processes: { launch: true, azRebalance: true, terminate: false } }],
    [
      [
        'AddToLoadBalancer',
        'AlarmNotification',
        'AZRebalance',
        'HealthCheck',
        'InstanceRefresh',
        'Launch',
        'ReplaceUnhealthy',
        'ScheduledActions',
      ],
      { all: true, processes: { terminate: false } },
    ],
  ])('suspends %j', (expected, suspendProcesses) => {
    expect(suspendedProcesses({ suspendProcesses } as never)).toEqual([...expected].sort());
  });
});
