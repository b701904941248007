import { describe, expect, it } from 'vitest';
import type { MachinePool } from '../../kinds/index.ts';
import type { InfrastructureCluster, InfrastructurePool } from '../../kinds/infrastructure.ts';
import {
  type PoolWishes,
  poolDigest,
  reconciledDigest,
  withGroupChanged,
  withoutGroupChange,
  withReconciled,
} from './digest.ts';

const configRef = { apiGroup: 'bootstrap.cluster.x-k8s.io', kind: 'KubeadmConfig', name: 'p' };
const poolOf = (spec: object, annotations: Record<string, string> = {}): MachinePool =>
  ({
    metadata: { name: 'p', uid: 'u', annotations },
    spec: { clusterName: 'red', replicas: 2, template: { spec: { bootstrap: { configRef } } }, ...spec },
  }) as unknown as MachinePool;

const wishes = (more: Partial<PoolWishes> = {}): PoolWishes => ({
  pool: poolOf({}),
  infrastructure: { minSize: 1, maxSize: 3 },
  config: null,
  cluster: { metadata: { name: 'red', uid: 'c' }, spec: { region: 'a' } } as unknown as InfrastructureCluster,
  token: 'u/0',
  ...more,
});

describe("the digest of a pool's desired state", () => {
  it.each<{ what: string; more: Partial<PoolWishes>; same: boolean }>([
    { what: 'the order of fields', more: { infrastructure: { maxSize: 3, minSize: 1 } }, same: true },
    { what: 'the list of instances', more: { pool: poolOf({ providerIDList: ['aws:///a/i-1'] }) }, same: true },
    {
      what: 'the name of the bootstrap data of its configuration',
      more: { pool: poolOf({ template: { spec: { bootstrap: { configRef, dataSecretName: 'p' } } } }) },
      same: true,
    },
    {
      what: 'bootstrap data of the user',
      more: { pool: poolOf({ template: { spec: { bootstrap: { dataSecretName: 'p' } } } }) },
      same: false,
    },
    { what: 'replicas', more: { pool: poolOf({ replicas: 3 }) }, same: false },
    { what: 'the infrastructure', more: { infrastructure: { minSize: 0, maxSize: 3 } }, same: false },
    { what: 'the bootstrap token', more: { token: 'u/1' }, same: false },
    {
      what: 'the program that decides on replicas',
      more: { pool: poolOf({}, { 'cluster.x-k8s.io/replicas-managed-by': 'x' }) },
      same: false,
    },
  ])('stays the same with another value of $what: $same', ({ more, same }) => {
    expect(poolDigest(wishes(more)) === poolDigest(wishes())).toBe(same);
  });

  it('does not depend on replicas that another program manages', () => {
    const managed = (replicas: number) =>
      poolDigest(wishes({ pool: poolOf({ replicas }, { 'cluster.x-k8s.io/replicas-managed-by': '' }) }));
    expect(managed(2)).toBe(managed(5));
  });

  it('is recorded once the state is reached, and not while the group changes', () => {
    const pool = { metadata: { name: 'p', annotations: { mine: '' } } } as unknown as InfrastructurePool;
    const done = withReconciled(pool, 'd') as InfrastructurePool;
    expect(reconciledDigest(done)).toBe('d');
    expect(withReconciled(done, 'd')).toBeUndefined();
    expect(withoutGroupChange(done)).toBeUndefined();
    for (const before of [pool, done]) {
      const changed = withGroupChanged(before) as InfrastructurePool;
      expect(reconciledDigest(changed)).toBeUndefined();
      expect([withReconciled(changed, 'd'), withGroupChanged(changed)]).toEqual([undefined, undefined]);
      expect(withoutGroupChange(changed)).toEqual(pool);
    }
  });
});
