import type { Vault } from '../../keep/vault.ts';
import type { Instance } from '../ports.ts';
import type { WorkloadCluster } from './cluster.ts';
import { forget } from './kept-storage.ts';

/**
 * The workload clusters of this process, by the uid of their kube-system namespace. A joining control plane machine
 * reads that uid from the API with its own certificate, and so finds the etcd that it may join.
 */
export interface ClusterRegistry {
  /**
   * The instances that a cluster's cloud controller manager sees from one of its machines: those in that machine's VPC.
   * Private names are unique only there.
   */
  instancesBeside(machine: Pick<Instance, 'vpcId'>): () => Promise<Instance[]>;
  add(cluster: WorkloadCluster): void;
  find(uid: string): WorkloadCluster | undefined;
  /** Those whose data exist. */
  all(): readonly WorkloadCluster[];
  /**
   * Records that a machine has the data of a member. The name may be that of one whose disk is gone: hosts keep theirs.
   */
  gain(uid: string, memberName: string): void;
  /** Takes note that a machine's disk is gone; the state goes with the last etcd member. */
  lose(uid: string, memberName: string): void;
  closeAll(): void;
  /** Where clusters are kept, if they are. */
  readonly vault?: Vault;
}

export const makeClusterRegistry = (instances: () => Promise<Instance[]>, vault?: Vault): ClusterRegistry => {
  const clusters = new Map<string, { cluster: WorkloadCluster; disks: Set<string> }>();
  return {
    vault,
    instancesBeside:
      ({ vpcId }) =>
      async () =>
        (await instances()).filter((one) => one.vpcId === vpcId),
    add: (cluster) => {
      clusters.set(cluster.uid, { cluster, disks: new Set(vault?.read<Set<string>>(`${cluster.uid}/disks`)) });
    },
    find: (uid) => clusters.get(uid)?.cluster,
    all: () => [...clusters.values()].map(({ cluster }) => cluster),
    gain: (uid, memberName) => {
      const found = clusters.get(uid);
      if (!found?.disks.delete(memberName)) return;
      vault?.write(`${uid}/disks`, found.disks);
    },
    lose: (uid, memberName) => {
      const found = clusters.get(uid);
      if (!found) return;
      found.disks.add(memberName);
      vault?.write(`${uid}/disks`, found.disks);
      if (found.cluster.etcd.names().every((name) => found.disks.has(name))) {
        found.cluster.close();
        clusters.delete(uid);
        if (vault) forget(vault, uid);
      }
    },
    closeAll: () => {
      for (const { cluster } of clusters.values()) cluster.close();
      clusters.clear();
    },
  };
};
