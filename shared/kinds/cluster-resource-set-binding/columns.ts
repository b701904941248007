import type { PrinterColumn } from '../../kube-api/resource.ts';
import { ageColumn, textColumn } from '../schema/columns.ts';

export const clusterResourceSetBindingColumns: readonly PrinterColumn[] = [
  textColumn('Cluster', '.spec.clusterName', 'Cluster'),
  ageColumn('ClusterResourceSetBinding'),
];
