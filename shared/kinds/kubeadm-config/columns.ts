import type { PrinterColumn } from '../../kube-api/resource.ts';
import { ageColumn, pausedColumn, textColumn } from '../schema/columns.ts';

export const kubeadmConfigColumns: readonly PrinterColumn[] = [
  textColumn('Cluster', ".metadata.labels['cluster\\.x-k8s\\.io/cluster-name']", 'Cluster'),
  pausedColumn,
  textColumn('Data secret created', '.status.initialization.dataSecretCreated', 'Whether the bootstrap secret exists'),
  ageColumn('KubeadmConfig'),
];
