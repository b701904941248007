import { expect, it } from 'vitest';
import type { AWSCluster, AWSMachinePool, MachinePool } from '../../../kinds/index.ts';
import { type ListedPool, poolDifferences } from './drift.ts';
import type { ObservedGroup } from './model.ts';

const PRIVATE = { id: 'private', resourceID: 'subnet-1', availabilityZone: 'a' };
const NEW = { id: 'subnet-2', availabilityZone: 'b' };

/** The differences of a pool whose group uses the first subnet, given the AWSCluster's current subnets. */
const differences = (subnets: object[], managed: Record<string, string> = {}): string[] => {
  const awsPool = {
    metadata: { namespace: 'default', name: 'mp', annotations: { 'windlass.dev/launch-template': 'lt-1 1 d1 s1 1' } },
    spec: { minSize: 0, maxSize: 5, awsLaunchTemplate: {} },
  } as unknown as AWSMachinePool;
  const group = { subnetIds: ['subnet-1'], suspended: [], tags: {}, instances: [] } as unknown as ObservedGroup;
  const listed = {
    cluster: { namespace: 'default', name: 'red' },
    pool: { metadata: { name: 'mp' }, spec: { template: { spec: {} } } } as unknown as MachinePool,
    ...{ awsPool, group, named: [] },
    awsCluster: {
      metadata: { name: 'red', annotations: managed },
      spec: { network: { subnets } },
    } as unknown as AWSCluster,
    template: { id: 'lt-1', name: 'mp', latestVersion: 1, tags: {} },
  } as ListedPool;
  return poolDifferences(listed).filter((one) => one === 'subnets');
};

it('the subnets of a group are reported if they are not those of its cluster', () => {
  expect(differences([PRIVATE])).toEqual([]);
  expect(differences([PRIVATE, { ...NEW, resourceID: 'subnet-2' }])).toEqual(['subnets']);
});

it('subnets are not reported while those of the cluster are not on record, unless they are managed externally', () => {
  expect(differences([PRIVATE, NEW])).toEqual([]);
  expect(differences([PRIVATE, NEW], { 'cluster.x-k8s.io/managed-by': 'terraform' })).toEqual(['subnets']);
});
