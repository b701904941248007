import { describe, expect, it } from 'vitest';
import type { AWSCluster, AWSMachinePool, MachinePool } from '../../../../shared/kinds/index.ts';
import { decideSubnets } from './decide.ts';
import type { PoolDependencies } from './dependencies.ts';

const pool = { metadata: { name: 'mp', namespace: 'default' }, spec: {} } as MachinePool;

const decide = (subnets: object[], named: object[] = []) => {
  const awsCluster = { metadata: { name: 'red' }, spec: { network: { subnets } } } as AWSCluster;
  const awsPool = { metadata: { name: 'mp' }, spec: { subnets: named } } as unknown as AWSMachinePool;
  const ec2 = { ownersOf: async () => new Map() };
  return decideSubnets({ ec2 } as unknown as PoolDependencies, { pool, awsPool, awsCluster });
};

const RECORDED = { id: 'subnet-1', resourceID: 'subnet-1' };

describe('the subnets of a pool whose AWSCluster was applied again', () => {
  it('delay the pool until they are recorded, because unrecorded ones may be public', async () => {
    await expect(decide([RECORDED, { id: 'subnet-2' }])).rejects.toMatchObject({ name: 'Transient' });
    expect(await decide([RECORDED])).toEqual(['subnet-1']);
  });

  it('are those that the pool names, whatever is recorded', async () => {
    expect(await decide([{ id: 'subnet-2' }], [{ id: 'subnet-3' }])).toEqual(['subnet-3']);
  });
});
