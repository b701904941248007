import type { PrinterColumn } from '../../kube-api/resource.ts';
import { ageColumn, conditionColumn, pausedColumn } from '../schema/columns.ts';

export const clusterClassColumns: readonly PrinterColumn[] = [
  pausedColumn,
  conditionColumn('Variables Ready', 'VariablesReady', 'Whether the definitions of all variables are known'),
  ageColumn('ClusterClass'),
];
