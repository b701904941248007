import type { PrinterColumn } from '../../kube-api/resource.ts';
import { ageColumn, pausedColumn, replicaColumns, textColumn } from '../schema/columns.ts';

export const machineSetColumns: readonly PrinterColumn[] = [
  textColumn('Cluster', '.spec.clusterName', 'Cluster'),
  ...replicaColumns,
  pausedColumn,
  ageColumn('MachineSet'),
  textColumn('Version', '.spec.template.spec.version', 'Kubernetes version of the machines'),
];
