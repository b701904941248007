import type { EtcdAccess } from '../../shared/distributions/distribution.ts';
import type { Machine } from '../../shared/kinds/index.ts';
import type { ObjectClient } from '../../shared/kube-api/storage/client.ts';
import type { EtcdMembership } from '../../shared/plan/control-plane/etcd-view.ts';
import type { SystemPod } from '../../shared/plan/control-plane/system-pod.ts';
import { type WorkloadClient, WorkloadUnreachableError } from '../../shared/workload/client.ts';
import { etcdCluster } from './etcd-cluster.ts';
import { configsFor } from './etcd-configs.ts';
import type { ClusterSnapshot } from './snapshot.ts';

/**
 * A node with a ready etcd pod, preferably of a machine that is not being deleted. Only one is queried, because a pod
 * that does not respond takes the full timeout of a command.
 */
export const nodeToAsk = (
  access: EtcdAccess,
  machines: readonly Machine[],
  pods: readonly SystemPod[],
): string | undefined => {
  const ready = new Set(
    pods.flatMap(({ metadata, status }) =>
      status?.conditions?.some(({ type, status: is }) => type === 'Ready' && is === 'True') ? [metadata?.name] : [],
    ),
  );
  const nodes = [...machines]
    .sort((a, b) => Number(Boolean(a.metadata.deletionTimestamp)) - Number(Boolean(b.metadata.deletionTimestamp)))
    .flatMap(({ status }) => status?.nodeRef?.name ?? []);
  return nodes.find((node) => ready.has(access.pod(node)));
};

/**
 * The members and alarms that etcd reports in the pod of one of these control plane machines. Undefined if etcd is
 * external or the pod does not respond: nothing may depend on pods in which commands cannot be executed.
 */
export const readMembership = async (
  objects: Pick<ObjectClient, 'get'>,
  client: Pick<WorkloadClient, 'execute'>,
  { controlPlane, distribution }: Pick<ClusterSnapshot, 'controlPlane' | 'distribution'>,
  machines: readonly Machine[],
  pods: readonly SystemPod[],
): Promise<EtcdMembership | undefined> => {
  const access = controlPlane && distribution?.etcd?.(controlPlane);
  if (!access || !distribution) return undefined;
  const node = nodeToAsk(access, machines, pods);
  if (node === undefined) return undefined;
  try {
    const configOf = configsFor(objects, access, distribution, machines);
    return await etcdCluster({ access, run: client.execute, configOf }, [node]).membership();
  } catch (error) {
    if (error instanceof WorkloadUnreachableError) return undefined;
    throw error;
  }
};
