import type { PrinterColumn } from '../../kube-api/resource.ts';
import { ageColumn, countColumn, pausedColumn, textColumn } from '../schema/columns.ts';

export const machineHealthCheckColumns: readonly PrinterColumn[] = [
  textColumn('Cluster', '.spec.clusterName', 'Cluster'),
  countColumn('Replicas', '.status.expectedMachines', 'Machines that are checked'),
  countColumn('Healthy', '.status.currentHealthy', 'Machines that are healthy'),
  pausedColumn,
  ageColumn('MachineHealthCheck'),
];
