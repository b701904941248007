import type { ControlPlane } from '../../kinds/contract-objects.ts';
import type { Cluster, Machine, MachineDeployment, MachinePool, MachineSet } from '../../kinds/index.ts';
import type { InfrastructureCluster } from '../../kinds/infrastructure.ts';

/** The facts from which a Cluster's status is derived. Null: the object to which the Cluster refers does not exist. */
export interface ClusterFacts {
  infrastructure: InfrastructureCluster | null;
  controlPlane: ControlPlane | null;
  deployments: readonly MachineDeployment[];
  sets: readonly MachineSet[];
  pools: readonly MachinePool[];
  controlPlaneMachines: readonly Machine[];
  /** Including those of pools. */
  workerMachines: readonly Machine[];
  /** The gates of its ClusterClass, which apply to a Cluster without gates of its own. */
  classGates?: Cluster['spec']['availabilityGates'];
  /** The last attempt to reach the workload cluster: undefined if none was made in this pass. */
  probe?: { reached: boolean; why?: string };
}
