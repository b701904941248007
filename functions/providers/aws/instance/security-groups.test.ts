import { describe, expect, it } from 'vitest';
import type { AWSCluster, AWSMachine, Machine } from '../../../../shared/kinds/index.ts';
import type { DecisionDependencies } from './dependencies.ts';
import { securityGroupIds } from './security-groups.ts';

const deps = { ec2: {} } as DecisionDependencies;
const machine = { metadata: { name: 'm-1' }, spec: { clusterName: 'red' } } as Machine;
const infrastructure = {
  metadata: { name: 'm-1' },
  spec: { additionalSecurityGroups: [{ id: 'sg-own' }] },
} as AWSMachine;

const NETWORK = { networkStatus: { securityGroups: { node: { id: 'sg-node' }, lb: { id: 'sg-lb' } } } };

const external = (securityGroups: object): AWSCluster =>
  ({
    metadata: { name: 'red', annotations: { 'cluster.x-k8s.io/managed-by': 'terraform' } },
    spec: {},
    status: { networkStatus: { securityGroups } },
  }) as unknown as AWSCluster;

it('looks up no more groups than an interface can have', async () => {
  const { metadata } = infrastructure;
  const filtersOf = (index: number) => ({ filters: [{ name: 'group-name', values: ['default', `x-${index}`] }] });
  const additionalSecurityGroups = Array.from({ length: 17 }, (_, index) => filtersOf(index));
  let calls = 0;
  const ec2 = { securityGroups: async () => [`sg-${calls++}`] };
  const awsCluster = { metadata, spec: {}, status: NETWORK } as unknown as AWSCluster;
  const objects = {
    machine,
    infrastructure: { metadata, spec: { additionalSecurityGroups } } as AWSMachine,
    awsCluster,
  };
  await expect(securityGroupIds({ ec2 } as unknown as DecisionDependencies, objects)).rejects.toThrow(
    'spec.additionalSecurityGroups: must have at most 16 items',
  );
  expect(calls).toBe(0);
});

describe('in an externally managed cluster', () => {
  const awsCluster = external({ node: { id: 'sg-node' }, lb: { id: 'sg-lb' } });

  it('a machine has only the groups that its spec names', async () => {
    expect(await securityGroupIds(deps, { machine, infrastructure, awsCluster })).toEqual(['sg-own']);
  });

  it('a pool has the groups of the cluster, too', async () => {
    const ids = await securityGroupIds(deps, { machine, infrastructure, awsCluster, isPool: true });
    expect(ids).toEqual(['sg-node', 'sg-lb', 'sg-own']);
  });

  it('a pool gets an error that names the status field in which a group is missing', async () => {
    const objects = { machine, infrastructure, awsCluster: external({ node: { id: 'sg-node' } }), isPool: true };
    await expect(securityGroupIds(deps, objects)).rejects.toThrow(
      'AWSCluster red has no security group of role lb in status.networkStatus.securityGroups',
    );
  });
});
