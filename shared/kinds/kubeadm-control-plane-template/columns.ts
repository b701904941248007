import type { PrinterColumn } from '../../kube-api/resource.ts';
import { ageColumn, textColumn } from '../schema/columns.ts';

export const kubeadmControlPlaneTemplateColumns: readonly PrinterColumn[] = [
  textColumn('ClusterClass', '.metadata.ownerReferences[?(@.kind=="ClusterClass")].name', 'ClusterClass that uses it'),
  ageColumn('KubeadmControlPlaneTemplate'),
];
