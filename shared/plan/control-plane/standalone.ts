import type { Cluster, Machine } from '../../kinds/index.ts';
import { isControlPlaneMachine } from '../labels.ts';

/** Whether the control plane of a cluster consists of Machines that are not managed by a control plane object. */
export const isStandalone = ({ spec }: Cluster): boolean => !spec.controlPlaneRef && !spec.topology;

/**
 * Such a control plane is initialized when one of its machines has a node (upstream's
 * setControlPlaneInitializedCondition).
 */
export const isStandaloneInitialized = (cluster: Cluster, machines: readonly Machine[]): boolean =>
  isStandalone(cluster) && machines.some((machine) => isControlPlaneMachine(machine) && machine.status?.nodeRef);
