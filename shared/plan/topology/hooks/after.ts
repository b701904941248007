import type { Cluster } from '../../../kinds/cluster/schema.ts';
import { isTrue } from '../../status/conditions.ts';
import { isBusy, type TopologyProgress } from '../upgrade/condition.ts';
import { isStable } from '../upgrade/versions.ts';
import type { HookSession } from './session.ts';

/**
 * Calls the hook for a created cluster once its control plane is initialized, and not again for a cluster whose objects
 * were deleted afterwards. The hook cannot block.
 */
const afterControlPlaneInitialized = ({ status }: Cluster, isNew: boolean, session: HookSession): void => {
  const hook = 'AfterControlPlaneInitialized';
  const isInitialized = isTrue(status?.conditions, 'ControlPlaneInitialized');
  if (isNew && !isInitialized) session.markPending(hook);
  if (!session.isPending(hook) || !isInitialized) return;
  session.passes(hook);
  session.markDone(hook);
};

const isUpgraded = ({ controlPlane, machineDeployments, machinePools }: TopologyProgress): boolean =>
  isStable(controlPlane, false) && !isBusy(machineDeployments) && !isBusy(machinePools);

/**
 * Calls the hooks that follow a completed change (callAfterHooks in
 * core/reconcilers/topology/cluster/reconcile_state.go).
 */
export const callAfterHooks = (
  cluster: Cluster,
  isNew: boolean,
  progress: TopologyProgress,
  session: HookSession,
): void => {
  afterControlPlaneInitialized(cluster, isNew, session);
  const isAwaited = session.isPending('AfterControlPlaneUpgrade') || session.isPending('AfterWorkersUpgrade');
  if (isAwaited || !isUpgraded(progress)) return;
  session.passesOnce('AfterClusterUpgrade', () => ({ kubernetesVersion: progress.desired }));
};
