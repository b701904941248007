import { expect, it } from 'vitest';
import { bootEtcd } from '../../../../infra/local/machines/workload-cluster/etcd.ts';
import { OWNER_TAG } from '../../../../shared/providers/aws/tags.ts';
import { ownClusters, quorumBreaches } from './quorum.ts';
import { testAccount, withInstance } from './test-account.ts';

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

it('only the etcd of the own cluster is judged, whoever else has one', () => {
  const account = testAccount();
  const clusterOf = (owner: string) => {
    const { id } = withInstance(account, { [OWNER_TAG]: owner });
    return { etcd: bootEtcd(owner, { owner: id, address: '10.0.0.1' }) };
  };
  const [own, ...others] = ['default/quickstart', 'default/twin', 'evil/quickstart'].map(clusterOf);
  expect(ownClusters(account, own ? [own, ...others] : others)).toEqual([own]);
  expect(ownClusters(account, others)).toEqual([]);
});
