/** etcd of the created clusters: a quorum that is lost does not come back, because nobody has made a backup. */
import type { WorkloadCluster } from '../../../../infra/local/machines/workload-cluster/cluster.ts';

/** Clusters whose machines are there, while too few of the members of etcd live. */
export const quorumBreaches = (clusters: readonly { etcd: Pick<WorkloadCluster['etcd'], 'hasQuorum' | 'members'> }[]) =>
  clusters.flatMap(({ etcd }) => {
    if (etcd.hasQuorum()) return [];
    const members = etcd
      .members()
      .map(({ name, alive, learner }) => `${name}${learner ? ' (learner)' : ''}${alive ? '' : ' (dead)'}`);
    return [`etcd has lost its quorum: ${members.join(', ')}`];
  });
