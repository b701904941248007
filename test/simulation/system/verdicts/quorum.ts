/** etcd of the workload clusters: a lost quorum cannot be recovered, because there is no backup. */
import type { Account } from '../../../../infra/local/account.ts';
import type { WorkloadCluster } from '../../../../infra/local/machines/workload-cluster/cluster.ts';
import { OWNER_TAG, ownerOf } from '../../../../shared/providers/aws/tags.ts';
import { CLUSTER } from '../user.ts';

const OWNER = ownerOf({ namespace: 'default', name: CLUSTER });

type Members = { etcd: Pick<WorkloadCluster['etcd'], 'members'> };

/** The clusters that belong to the cluster of the lifecycle, and not to a copy of it or to another tenant. */
export const ownClusters = <T extends Members>(account: Account, clusters: readonly T[]): T[] => {
  const { instances } = account.ec2();
  const isOwn = ({ owner }: { owner: string }): boolean => instances.find(owner)?.tags.get(OWNER_TAG) === OWNER;
  return clusters.filter(({ etcd }) => etcd.members().some(isOwn));
};

/** Clusters in which too few members of etcd are alive for a quorum. */
export const quorumBreaches = (clusters: readonly { etcd: Pick<WorkloadCluster['etcd'], 'hasQuorum' | 'members'> }[]) =>
  clusters.flatMap(({ etcd }) => {
    if (etcd.hasQuorum()) return [];
    const members = etcd
      .members()
      .map(({ name, alive, learner }) => `${name}${learner ? ' (learner)' : ''}${alive ? '' : ' (dead)'}`);
    return [`etcd has lost its quorum: ${members.join(', ')}`];
  });
