import type { Distribution } from '../../shared/distributions/distribution.ts';
import { distributionIn } from '../../shared/distributions/registry.ts';
import type { Cluster, Machine } from '../../shared/kinds/index.ts';
import { byAge } from '../../shared/plan/control-plane/placement.ts';
import { isStandalone } from '../../shared/plan/control-plane/standalone.ts';
import { isControlPlaneMachine } from '../../shared/plan/labels.ts';

/** Whether passes probe the workload cluster of a Cluster, and therefore record what the sweep finds in it. */
export const isProbed = (cluster: Cluster): boolean =>
  isStandalone(cluster) || distributionIn(cluster, 'controlPlane', cluster.spec.controlPlaneRef) !== undefined;

/**
 * The distribution of a control plane whose Machines belong to no control plane object: that of the oldest Machine's
 * configuration. Undefined if Windlass does not evaluate that configuration.
 */
export const standaloneDistribution = (cluster: Cluster, machines: readonly Machine[]): Distribution | undefined => {
  if (!isStandalone(cluster)) return undefined;
  const [oldest] = machines.filter(isControlPlaneMachine).toSorted(byAge);
  const distribution = oldest && distributionIn(cluster, 'config', oldest.spec.bootstrap.configRef);
  return distribution?.standalone ? distribution : undefined;
};
