import type { PrinterColumn } from '../../kube-api/resource.ts';
import { ageColumn, textColumn } from '../schema/columns.ts';

export const kubeadmConfigTemplateColumns: readonly PrinterColumn[] = [
  textColumn('ClusterClass', '.metadata.ownerReferences[?(@.kind=="ClusterClass")].name', 'ClusterClass that owns it'),
  textColumn('Cluster', '.metadata.ownerReferences[?(@.kind=="Cluster")].name', 'Cluster that owns it'),
  ageColumn('KubeadmConfigTemplate'),
];
