import type { Cluster } from '../../../kinds/cluster/schema.ts';
import type { MachineDeployment } from '../../../kinds/machine-deployment/schema.ts';
import type { MachineHealthCheck } from '../../../kinds/machine-health-check/schema.ts';
import type { MachinePool } from '../../../kinds/machine-pool/schema.ts';
import type { AnyObject } from '../objects.ts';
import type { DesiredWorkers } from './workers.ts';

/** The desired objects of a managed cluster. Workers are in the order of the topology. */
export interface DesiredObjects {
  /** With its labels, its references and, during an upgrade, the version of the step. */
  cluster: Cluster;
  infrastructureCluster: AnyObject;
  controlPlane: AnyObject;
  machineInfrastructure: AnyObject | undefined;
  controlPlaneHealthCheck: MachineHealthCheck | undefined;
  machineDeployments: DesiredWorkers<MachineDeployment>[];
  machinePools: DesiredWorkers<MachinePool>[];
}
