import type { PrinterColumn } from '../../kube-api/resource.ts';
import { ageColumn, conditionColumn, countColumn, pausedColumn, textColumn, wide } from '../schema/columns.ts';

export const clusterColumns: readonly PrinterColumn[] = [
  textColumn('ClusterClass', '.spec.topology.classRef.name', 'ClusterClass of the Cluster, if it has one'),
  conditionColumn('Available', 'Available', 'Whether the Cluster passes all availability checks'),
  countColumn('CP Desired', '.status.controlPlane.desiredReplicas', 'Control plane machines wanted'),
  wide(countColumn('CP Current', '.status.controlPlane.replicas', 'Control plane machines that exist')),
  wide(countColumn('CP Ready', '.status.controlPlane.readyReplicas', 'Control plane machines that are Ready')),
  countColumn('CP Available', '.status.controlPlane.availableReplicas', 'Control plane machines that are Available'),
  countColumn('CP Up-to-date', '.status.controlPlane.upToDateReplicas', 'Control plane machines that are up to date'),
  countColumn('W Desired', '.status.workers.desiredReplicas', 'Worker machines wanted'),
  wide(countColumn('W Current', '.status.workers.replicas', 'Worker machines that exist')),
  wide(countColumn('W Ready', '.status.workers.readyReplicas', 'Worker machines that are Ready')),
  countColumn('W Available', '.status.workers.availableReplicas', 'Worker machines that are Available'),
  countColumn('W Up-to-date', '.status.workers.upToDateReplicas', 'Worker machines that are up to date'),
  pausedColumn,
  textColumn('Phase', '.status.phase', 'Phase of the Cluster, such as Provisioned'),
  ageColumn('Cluster'),
  textColumn('Version', '.spec.topology.version', 'Kubernetes version of the topology'),
];
