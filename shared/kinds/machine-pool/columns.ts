import type { PrinterColumn } from '../../kube-api/resource.ts';
import { ageColumn, pausedColumn, replicaColumns, textColumn } from '../schema/columns.ts';

export const machinePoolColumns: readonly PrinterColumn[] = [
  textColumn('Cluster', '.spec.clusterName', 'Cluster'),
  ...replicaColumns,
  pausedColumn,
  textColumn('Phase', '.status.phase', 'Phase of the MachinePool, such as Running'),
  ageColumn('MachinePool'),
  textColumn('Version', '.spec.template.spec.version', 'Kubernetes version of the machines'),
];
