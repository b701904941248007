/** etcd of the workload clusters: a lost quorum cannot be recovered, because there is no backup. */
import type { WorkloadCluster } from '../../../../infra/local/machines/workload-cluster/cluster.ts';

/** Clusters in which too few members of etcd are alive for a quorum. */
export const quorumBreaches = (clusters: readonly { etcd: Pick<WorkloadCluster['etcd'], 'hasQuorum' | 'members'> }[]) =>
  clusters.flatMap(({ etcd }) => {
    if (etcd.hasQuorum()) return [];
    const members = etcd
      .members()
      .map(({ name, alive, learner }) => `${name}${learner ? ' (learner)' : ''}${alive ? '' : ' (dead)'}`);
    return [`etcd has lost its quorum: ${members.join(', ')}`];
  });
