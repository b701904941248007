import { describe, expect, it } from 'vitest';
import type { AWSCluster } from '../../../../kinds/index.ts';
import { findingsOf } from './findings.ts';
import { unpassed, withPassed } from './gate.ts';
import type { Facts } from './model.ts';
import type { PoolSource } from './pools.ts';
import { wantsOf } from './wants.ts';

const CLUSTER = { namespace: 'default', name: 'red' };
const ALL = { network: false, machines: true };

const awsCluster = (): AWSCluster => ({
  apiVersion: 'infrastructure.cluster.x-k8s.io/v1beta2',
  kind: 'AWSCluster',
  metadata: CLUSTER,
  spec: { region: 'us-east-1' },
});

/** An account that offers the instance type in one zone. */
const FACTS: Facts = {
  quotas: new Map([['L-1216C47A', { value: 100 }]]),
  running: { value: [] },
  types: { value: new Map([['t3.large', { vcpus: 2, architectures: ['x86_64'] }]]) },
  offers: { value: new Map([['t3.large', ['us-east-1a']]]) },
  groups: { value: { limit: 2, used: 1 } },
  profiles: new Map(),
  permissions: [],
  images: new Map(),
};

describe('the instances of a pool', () => {
  const source = (spec: object, pool: object = {}, annotations: Record<string, string> = {}) =>
    ({
      pool: { metadata: { name: 'mp', annotations }, spec: { replicas: 4, ...pool } },
      awsPool: {
        metadata: { name: 'p', namespace: 'default', resourceVersion: '7' },
        spec: { minSize: 1, maxSize: 3, awsLaunchTemplate: { instanceType: 't3.large' }, ...spec },
        status: { ready: true },
      },
      version: 'v1.34.0',
    }) as unknown as PoolSource;

  const counted = (spec: object, pool: object = {}, annotations: Record<string, string> = {}) =>
    wantsOf(CLUSTER, awsCluster(), [source(spec, pool, annotations)], ALL).machines.map((one) => [
      one.count,
      one.isSpot ? 'spot' : 'on-demand',
      ...one.instanceTypes,
    ]);

  const overrides = [{ instanceType: 'm5.large' }, { instanceType: 'm6i.large' }];
  const mixed = (onDemandBaseCapacity: number, onDemandPercentageAboveBaseCapacity: number) => ({
    mixedInstancesPolicy: {
      overrides,
      instancesDistribution: { onDemandBaseCapacity, onDemandPercentageAboveBaseCapacity },
    },
  });

  it.each([
    ['On-Demand by default', {}, [[4, 'on-demand', 't3.large']]],
    ['spot', { awsLaunchTemplate: { instanceType: 't3.large', spotMarketOptions: {} } }, [[4, 'spot', 't3.large']]],
    [
      'of both, as the policy divides them',
      mixed(1, 50),
      [
        [3, 'on-demand', 'm5.large', 'm6i.large'],
        [1, 'spot', 'm5.large', 'm6i.large'],
      ],
    ],
    ['spot alone by the policy', mixed(0, 0), [[4, 'spot', 'm5.large', 'm6i.large']]],
  ])('are %s', (_, spec, expected) => {
    expect(counted(spec)).toEqual(expected);
  });

  it('are counted up to the maximum of the group if an autoscaler manages them', () => {
    expect(counted({}, {}, { 'cluster.x-k8s.io/replicas-managed-by': '' })).toEqual([[3, 'on-demand', 't3.large']]);
  });

  it('must be offered in one of their own zones', () => {
    const wants = wantsOf(CLUSTER, awsCluster(), [source({ availabilityZones: ['us-east-1c'] })], ALL);
    expect(findingsOf(wants, FACTS)).toEqual({
      missing: [
        'AWSMachinePool p spec.awsLaunchTemplate.instanceType: EC2 does not offer t3.large in us-east-1c; choose another type or other zones',
      ],
      unseen: [],
    });
  });

  it('are checked once, regardless of later changes to the pool', () => {
    const wanted = (uid: string) => {
      const { awsPool, ...rest } = source({ providerIDList: [`aws:///a/${uid}`] });
      return wantsOf(
        CLUSTER,
        awsCluster(),
        [{ ...rest, awsPool: { ...awsPool, metadata: { ...awsPool.metadata, uid } } }],
        ALL,
      );
    };
    const passed = withPassed(awsCluster(), wanted('1'));
    expect(unpassed({ ...wanted('2'), awsCluster: passed })).toEqual({ network: false, machines: false });
  });
});
