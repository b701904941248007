import type { PrinterColumn } from '../../kube-api/resource.ts';
import { ageColumn, conditionColumn, pausedColumn, replicaColumns, textColumn } from '../schema/columns.ts';

export const kubeadmControlPlaneColumns: readonly PrinterColumn[] = [
  textColumn('Cluster', ".metadata.labels['cluster\\.x-k8s\\.io/cluster-name']", 'Cluster'),
  conditionColumn('Available', 'Available', 'Whether the control plane passes all availability checks'),
  ...replicaColumns,
  pausedColumn,
  {
    name: 'Initialized',
    type: 'boolean',
    jsonPath: '.status.initialization.controlPlaneInitialized',
    description: 'Whether the control plane can accept requests',
  },
  ageColumn('KubeadmControlPlane'),
  textColumn('Version', '.spec.version', 'Kubernetes version of the control plane'),
];
