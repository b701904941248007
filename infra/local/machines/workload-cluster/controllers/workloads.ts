import type { ObjectClient } from '../../../../../shared/kube-api/storage/client.ts';
import { daemonSet, deployment, node, pod, replicaSet } from '../kinds.ts';
import type { Node, Pod } from '../objects.ts';
import type { DaemonSet, Deployment, ReplicaSet } from '../workloads.ts';

/** The objects on which the controllers of workloads decide, read once for all of them. */
export interface Workloads {
  nodes: readonly Node[];
  pods: readonly Pod[];
  sets: readonly ReplicaSet[];
  deployments: readonly Deployment[];
  daemonSets: readonly DaemonSet[];
}

export const readWorkloads = async (objects: ObjectClient): Promise<Workloads> => {
  const [nodes, pods, sets, deployments, daemonSets] = await Promise.all([
    objects.list<Node>(node),
    objects.list<Pod>(pod),
    objects.list<ReplicaSet>(replicaSet),
    objects.list<Deployment>(deployment),
    objects.list<DaemonSet>(daemonSet),
  ]);
  return { nodes, pods, sets, deployments, daemonSets };
};
