import { describe, expect, it } from 'vitest';
import type { AWSCluster, AWSMachinePool, MachinePool } from '../../../kinds/index.ts';
import { desiredGroup, groupSubnets, sizeProblem } from './desired-group.ts';
import { groupDifferences } from './differences.ts';
import type { ObservedGroup } from './model.ts';

const machinePool = (spec: object = {}, annotations: Record<string, string> = {}): MachinePool =>
  ({
    metadata: { name: 'mp', annotations },
    spec: { replicas: 3, template: { spec: {} }, ...spec },
  }) as unknown as MachinePool;

const awsPool = (spec: object = {}): AWSMachinePool =>
  ({
    metadata: { namespace: 'default', name: 'pool-0' },
    spec: { minSize: 0, maxSize: 5, awsLaunchTemplate: {}, ...spec },
  }) as unknown as AWSMachinePool;

describe('the subnets of a group', () => {
  const PODS = { 'sigs.k8s.io/cluster-api-provider-aws/association': 'secondary' };
  const subnets = [
    { id: 'pub-a', resourceID: 'subnet-1', isPublic: true, availabilityZone: 'a' },
    { id: 'priv-a', resourceID: 'subnet-2', availabilityZone: 'a' },
    { id: 'priv-b', resourceID: 'subnet-3', availabilityZone: 'b' },
    { id: 'pods-b', resourceID: 'subnet-4', availabilityZone: 'b', tags: PODS },
    { id: 'priv-lax', resourceID: 'subnet-5', availabilityZone: 'lax', zoneType: 'local-zone' },
    { id: 'pub-wl', resourceID: 'subnet-6', availabilityZone: 'wl', isPublic: true, zoneType: 'wavelength-zone' },
  ];
  const awsCluster = { spec: { network: { subnets } } } as unknown as AWSCluster;
  const of = (spec: object, pool: object = {}, named: string[] = []) =>
    groupSubnets(machinePool(pool), awsPool(spec), awsCluster, named);

  it.each([
    ['all private ones by default', {}, {}, [], ['subnet-2', 'subnet-3']],
    ['those that the pool names', { availabilityZones: ['a'] }, {}, ['subnet-9'], ['subnet-9']],
    ['those of its zones', { availabilityZones: ['a'] }, {}, [], ['subnet-1', 'subnet-2']],
    [
      'the public ones of its zones',
      { availabilityZones: ['a'], availabilityZoneSubnetType: 'public' },
      {},
      [],
      ['subnet-1'],
    ],
    [
      'those of the failure domains',
      { availabilityZoneSubnetType: 'private' },
      { failureDomains: ['b'] },
      [],
      ['subnet-3'],
    ],
    ['those of a local zone that it names', { availabilityZones: ['lax'] }, {}, [], ['subnet-5']],
    [
      'those of edge zones among its failure domains',
      {},
      { failureDomains: ['wl', 'b'] },
      [],
      ['subnet-6', 'subnet-3', 'subnet-4'],
    ],
  ])('are %s', (_, spec, pool, named, expected) => {
    expect(of(spec, pool, named)).toEqual(expected);
  });

  it.each([
    ['private', 'lax'],
    ['public', 'wl'],
  ])('of a type do not include edge zones, as upstream', (availabilityZoneSubnetType, zone) => {
    expect(of({ availabilityZones: [zone], availabilityZoneSubnetType })).toEqual({
      problem: `spec.availabilityZones: the cluster has no ${availabilityZoneSubnetType} subnet in ${zone}`,
    });
  });

  it('are reported as missing if the cluster has none in a zone', () => {
    expect(of({ availabilityZones: ['a', 'z'] })).toEqual({
      problem: 'spec.availabilityZones: the cluster has no subnet in z',
    });
    expect(of({ availabilityZoneSubnetType: 'public' }, { failureDomains: ['b'] })).toEqual({
      problem: 'spec.failureDomains of the MachinePool: the cluster has no public subnet in b',
    });
  });
});

describe('the sizes of a group', () => {
  it.each([
    [
      machinePool({ replicas: 6 }),
      /spec.replicas of MachinePool mp is 6, not between spec.minSize 0 and spec.maxSize 5/,
    ],
    [machinePool({ replicas: 0 }), undefined],
    [machinePool({ replicas: 6 }, { 'cluster.x-k8s.io/replicas-managed-by': '' }), undefined],
  ])('are refused if they contradict each other', (pool, problem) => {
    const found = sizeProblem(pool, awsPool());
    if (problem) expect(found).toMatch(problem);
    else expect(found).toBeUndefined();
  });
});

describe('a group', () => {
  const of = (spec: object, pool = machinePool()) =>
    desiredGroup(pool, awsPool(spec), { subnetIds: ['subnet-1'], tags: {} });

  it('has the cooldown and warmup of the pool in seconds, and five minutes by default', () => {
    expect(of({})).toMatchObject({ cooldown: 300, warmup: 300 });
    expect(of({ defaultCoolDown: '1m', defaultInstanceWarmup: '1h30m' })).toMatchObject({ cooldown: 60, warmup: 5400 });
    expect(of({ defaultCoolDown: '90.5s', defaultInstanceWarmup: '999ms' })).toMatchObject({ cooldown: 90, warmup: 0 });
    expect(of({ defaultCoolDown: '4.35m' })).toMatchObject({ cooldown: 261 });
    const hook = { name: 'mine', lifecycleTransition: 'autoscaling:EC2_INSTANCE_LAUNCHING', heartbeatTimeout: '90.5s' };
    expect(of({ lifecycleHooks: [hook] }).hooks[0]?.HeartbeatTimeout).toBe(90);
  });

  it('has each hook once, and Windlass’s own as Windlass defines them', () => {
    const hooks = ['mine', 'windlass-drain', 'mine', 'windlass-prepare'].map((name, index) => ({
      ...{ name, lifecycleTransition: 'autoscaling:EC2_INSTANCE_LAUNCHING' },
      heartbeatTimeout: `${30 + index}s`,
    }));
    const found = of({ lifecycleHooks: hooks }).hooks.map((one) => [one.LifecycleHookName, one.HeartbeatTimeout]);
    expect(found).toEqual([
      ['mine', 30],
      ['windlass-drain', 900],
    ]);
  });

  it.each([
    [3, 3],
    [6, undefined],
  ])('starts for %i replicas with the size %s if an autoscaler manages the replicas', (replicas, initial) => {
    const pool = machinePool({ replicas }, { 'cluster.x-k8s.io/replicas-managed-by': 'cluster-autoscaler' });
    expect(of({}, pool)).toMatchObject({ desired: undefined, initial });
  });

  it('distributes its instances as the pool specifies, with AWS’s and upstream’s defaults', () => {
    const overrides = [{ instanceType: 'm5.large' }, { instanceType: 'm6i.large' }];
    const usual = of({ mixedInstancesPolicy: { overrides } });
    expect(usual.mixed).toEqual({
      overrides: ['m5.large', 'm6i.large'],
      InstancesDistribution: {
        OnDemandAllocationStrategy: 'prioritized',
        OnDemandBaseCapacity: 0,
        OnDemandPercentageAboveBaseCapacity: 100,
        SpotAllocationStrategy: 'lowest-price',
      },
    });
    const Overrides = overrides.map(({ instanceType }) => ({ InstanceType: instanceType }));
    const found = { ...usual, mixed: { LaunchTemplate: { Overrides } } } as unknown as ObservedGroup;
    expect(groupDifferences(usual, found, 'lt-1')).not.toContain('mixed instances policy');
    const instancesDistribution = { onDemandBaseCapacity: 1, spotAllocationStrategy: 'capacity-optimized' };
    expect(of({ mixedInstancesPolicy: { overrides, instancesDistribution } }).mixed?.InstancesDistribution).toEqual({
      OnDemandAllocationStrategy: 'prioritized',
      OnDemandBaseCapacity: 1,
      OnDemandPercentageAboveBaseCapacity: 100,
      SpotAllocationStrategy: 'capacity-optimized',
    });
  });

  it('waits for drains as long as the machines of the pool may drain', () => {
    const heartbeat = (seconds?: number) => {
      const deletion = seconds === undefined ? {} : { nodeDrainTimeoutSeconds: seconds };
      return of({}, machinePool({ template: { spec: { deletion } } })).hooks.at(-1)?.HeartbeatTimeout;
    };
    expect([heartbeat(), heartbeat(600), heartbeat(5), heartbeat(100_000)]).toEqual([900, 600, 30, 7200]);
  });
});
