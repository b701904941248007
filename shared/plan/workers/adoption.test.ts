import { describe, expect, it } from 'vitest';
import type { Cluster, Machine, MachineDeployment, MachineSet } from '../../kinds/index.ts';
import type { OwnerReference } from '../../kube-api/object.ts';
import { isMemberOf, planAdoption } from './adoption.ts';

type Metadata = Partial<Machine['metadata']>;
const cluster = { kind: 'Cluster', metadata: { name: 'red', uid: 'u-red' } } as Cluster;
const object = (kind: string, name: string, metadata: Metadata = {}) => ({
  kind,
  metadata: { name, uid: `u-${name}`, creationTimestamp: '2026-01-01T00:00:00Z', ...metadata },
});
const selecting = (labels: Record<string, string>) => ({ selector: { matchLabels: labels } });
const deployment = (name: string, pool: string, metadata?: Metadata) =>
  ({ ...object('MachineDeployment', name, metadata), spec: selecting({ pool }) }) as unknown as MachineDeployment;
const set = (name: string, pool: string, metadata?: Metadata) =>
  ({ ...object('MachineSet', name, metadata), spec: selecting({ pool }) }) as unknown as MachineSet;
const machine = (name: string, metadata?: Metadata) => object('Machine', name, metadata) as unknown as Machine;
const controller = (name: string, kind = 'MachineSet'): OwnerReference[] => [
  { apiVersion: 'cluster.x-k8s.io/v1beta2', kind, name, uid: `u-${name}`, controller: true },
];

const plan = (facts: { deployments?: MachineDeployment[]; sets?: MachineSet[]; machines?: Machine[] }) => {
  const { sets, machines } = planAdoption({ cluster, deployments: [], sets: [], machines: [], ...facts });
  return [...sets, ...machines].map(
    ({ object: { metadata }, owner, controls }) =>
      `${metadata.name} to ${owner.metadata.name}${controls ? '' : ' alone'}`,
  );
};
const owned = { ownerReferences: controller('s') };

describe('planAdoption', () => {
  it('gives a machine that nothing controls to the oldest set that selects it', () => {
    const sets = [
      set('young', 'a', { ...owned, creationTimestamp: '2026-01-02T00:00:00Z' }),
      set('old', 'a', owned),
      set('other', 'b', owned),
    ];
    expect(plan({ sets, machines: [machine('m', { labels: { pool: 'a' } })] })).toEqual(['m to old']);
  });

  it('takes nothing from another controller, and adopts nothing for a set that is being deleted', () => {
    const theirs = machine('theirs', { labels: { pool: 'a' }, ownerReferences: controller('kcp') });
    const going = set('going', 'a', { ...owned, deletionTimestamp: '2026-01-02T00:00:00Z' });
    const left = machine('left', { labels: { pool: 'a', 'cluster.x-k8s.io/set-name': 'going' } });

    expect(plan({ sets: [set('s', 'a', owned)], machines: [theirs] })).toEqual([]);
    expect(plan({ sets: [going], machines: [left] })).toEqual([]);
  });

  it('gives sets to the deployment that selects them', () => {
    const deployments = [deployment('d', 'a'), deployment('gone', 'b', { deletionTimestamp: '2026-01-02T00:00:00Z' })];
    const sets = [
      set('mine', 'x', { labels: { pool: 'a' } }),
      set('left', 'x', { labels: { pool: 'b', 'cluster.x-k8s.io/deployment-name': 'gone' } }),
    ];
    expect(plan({ deployments, sets })).toEqual(['mine to d']);
  });

  it('makes the Cluster the owner of objects that no controller created, unless their owner may return', () => {
    const restored = machine('restored', { labels: { 'cluster.x-k8s.io/set-name': 's' } });
    const known = machine('known', {
      ownerReferences: [{ ...controller('red', 'Cluster')[0], controller: false } as OwnerReference],
    });

    expect(plan({ sets: [set('alone', 'x')], machines: [machine('single'), restored, known] })).toEqual([
      'alone to red alone',
      'single to red alone',
    ]);
  });

  it('selects nothing with an empty selector', () => {
    const all = { ...set('all', 'a', owned), spec: { selector: {} } } as unknown as MachineSet;
    expect(plan({ sets: [all], machines: [machine('m')] })).toEqual(['m to red alone']);
  });
});

describe('isMemberOf', () => {
  it('requires both the owner and the selector', () => {
    const s = set('s', 'a');
    expect(isMemberOf(machine('m', { labels: { pool: 'a' }, ...owned }), s)).toBe(true);
    expect(isMemberOf(machine('relabelled', { labels: { pool: 'quarantine' }, ...owned }), s)).toBe(false);
    expect(isMemberOf(machine('orphan', { labels: { pool: 'a' } }), s)).toBe(false);
  });
});
