import type { PrinterColumn } from '../../kube-api/resource.ts';
import { ageColumn, conditionColumn, pausedColumn } from '../schema/columns.ts';

export const clusterResourceSetColumns: readonly PrinterColumn[] = [
  conditionColumn('Applied', 'ResourcesApplied', 'Whether all resources are applied to all selected clusters'),
  pausedColumn,
  ageColumn('ClusterResourceSet'),
];
