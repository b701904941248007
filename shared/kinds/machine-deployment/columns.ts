import type { PrinterColumn } from '../../kube-api/resource.ts';
import { ageColumn, conditionColumn, pausedColumn, replicaColumns, textColumn } from '../schema/columns.ts';

export const machineDeploymentColumns: readonly PrinterColumn[] = [
  textColumn('Cluster', '.spec.clusterName', 'Cluster'),
  conditionColumn('Available', 'Available', 'Whether the MachineDeployment passes all availability checks'),
  ...replicaColumns,
  pausedColumn,
  textColumn('Phase', '.status.phase', 'Phase of the MachineDeployment, such as ScalingUp'),
  ageColumn('MachineDeployment'),
  textColumn('Version', '.spec.template.spec.version', 'Kubernetes version of the machines'),
];
