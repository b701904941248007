import { expect, it } from 'vitest';
import { bootEtcd } from '../../../../infra/local/machines/workload-cluster/etcd.ts';
import { quorumBreaches } from './quorum.ts';

it('reports an etcd with too few live members, and names all members', () => {
  const etcd = bootEtcd('a', { owner: 'i-1', address: '10.0.0.1' });
  etcd.addLearner('b', { owner: 'i-2', address: '10.0.0.2' });
  etcd.setAlive('b', false);
  expect(quorumBreaches([{ etcd }])).toEqual([]);
  etcd.promote('b');
  expect(quorumBreaches([{ etcd }])).toEqual(['etcd has lost its quorum: a, b (dead)']);
  etcd.remove('b');
  expect(quorumBreaches([{ etcd }])).toEqual([]);
});
