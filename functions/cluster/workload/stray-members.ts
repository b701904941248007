import type { ControlPlane } from '../../../shared/kinds/contract-objects.ts';
import { kinds, type Machine } from '../../../shared/kinds/index.ts';
import { removableStray, strayMembers } from '../../../shared/plan/control-plane/etcd-members.ts';
import type { EtcdMembership } from '../../../shared/plan/control-plane/etcd-view.ts';
import { isControlPlaneMachine } from '../../../shared/plan/labels.ts';
import { isObjectPaused } from '../../../shared/plan/status/paused.ts';
import { WorkloadUnreachableError } from '../../../shared/workload/client.ts';
import { type EtcdCluster, etcdCluster } from '../etcd-cluster.ts';
import { configsFor } from '../etcd-configs.ts';
import { nodeToAsk } from '../etcd-members.ts';
import { readWorkloadTarget } from '../kubeconfig-secret.ts';
import type { ClusterSnapshot } from '../snapshot.ts';
import type { ProbeDependencies } from './dependencies.ts';
import type { Reached } from './probe-operations.ts';
import { workloadRecorder } from './reasons.ts';

type Dependencies = Pick<ProbeDependencies, 'objects' | 'clock' | 'connect'>;

/**
 * Removes an etcd member that has no machine and does not respond, because no machine can join while it is listed. etcd
 * is queried again only if there may be such a member. Resolves to what etcd still reports.
 */
export const removeStrayMember = async (
  deps: Dependencies,
  { cluster, controlPlane, distribution, machines }: ClusterSnapshot,
  { etcd: known, pods }: Reached,
): Promise<EtcdMembership | undefined> => {
  const own = machines.filter(isControlPlaneMachine);
  const access = controlPlane && distribution?.etcd?.(controlPlane);
  if (!known || !access || !distribution || controlPlane.metadata.deletionTimestamp || isObjectPaused(controlPlane))
    return known;
  const node = nodeToAsk(access, own, pods);
  if (node === undefined || strayMembers(known.members, own).length === 0) return known;
  const target = await readWorkloadTarget(deps.objects, cluster);
  if (!target) return known;
  const client = deps.connect(target);
  try {
    const configOf = configsFor(deps.objects, access, distribution, own);
    const etcd = etcdCluster({ access, run: client.execute, configOf }, [node]);
    const { namespace = '', name } = cluster.metadata;
    const machinesNow = () => deps.objects.listOfCluster(kinds.machine, namespace, name);
    const removed = await removeFrom(deps, etcd, controlPlane, machinesNow);
    return { ...known, members: known.members.filter(({ id }) => id !== removed) };
  } catch (error) {
    // It has just responded; the next pass tries again.
    if (!(error instanceof WorkloadUnreachableError)) throw error;
    return known;
  } finally {
    await client.close();
  }
};

/**
 * Machines are read after the members, so that they include those that have joined in the meantime. Resolves to the id
 * of the removed member.
 */
const removeFrom = async (
  deps: Dependencies,
  etcd: EtcdCluster,
  controlPlane: ControlPlane,
  machines: () => Promise<Machine[]>,
): Promise<string | undefined> => {
  const view = await etcd.view();
  const stray = removableStray(view, (await machines()).filter(isControlPlaneMachine));
  if (!stray) return undefined;
  await etcd.remove(stray.id);
  const message = `Removed member ${stray.name || stray.id}, which has no machine and does not respond, from etcd`;
  await workloadRecorder(deps).normal(controlPlane, 'EtcdMemberRemoved', message);
  return stray.id;
};
