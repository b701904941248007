import { type Cluster, kinds } from '../../../../shared/kinds/index.ts';
import { isTrue } from '../../../../shared/plan/status/conditions.ts';
import { hookMemoryOf } from '../../../../shared/plan/topology/hooks/memory.ts';
import type { ConvergeInput } from '../../../../shared/work/payloads.ts';
import type { ObjectsDependencies } from '../dependencies.ts';

const isInitialized = ({ status }: Cluster): boolean => isTrue(status?.conditions, 'ControlPlaneInitialized');

/** Whether earlier steps of a pass wait for an initialized control plane: health checks, or a hook. */
const isAwaited = async ({ objects }: ObjectsDependencies, cluster: Cluster): Promise<boolean> => {
  if (hookMemoryOf(cluster).pending.has('AfterControlPlaneInitialized')) return true;
  const { namespace = '', name } = cluster.metadata;
  return (await objects.listOfCluster(kinds.machineHealthCheck, namespace, name)).length > 0;
};

/**
 * Requests another pass if this one is the first to report that the control plane is initialized, and its earlier steps
 * had to wait for that: if all nodes are already ready, nothing else starts a pass.
 */
export const continueIfInitialized = async (
  deps: ObjectsDependencies,
  { cluster: ref }: ConvergeInput,
  { before, after }: { before: Cluster; after: Cluster },
): Promise<void> => {
  if (isInitialized(before) || !isInitialized(after) || !(await isAwaited(deps, after))) return;
  // This pass holds the lease: it starts the next one when it ends.
  await deps.work.touch(ref);
};
