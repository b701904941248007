import type { PrinterColumn } from '../../kube-api/resource.ts';
import { ageColumn, conditionColumn, pausedColumn, textColumn, wide } from '../schema/columns.ts';

export const machineColumns: readonly PrinterColumn[] = [
  textColumn('Cluster', '.spec.clusterName', 'Cluster'),
  textColumn('Node Name', '.status.nodeRef.name', 'Node of the Machine'),
  wide(textColumn('Provider ID', '.spec.providerID', 'Instance of the Machine')),
  textColumn('Failure domain', '.status.failureDomain', 'Failure domain that the Machine runs in'),
  conditionColumn('Ready', 'Ready', 'Whether the Machine passes all readiness checks'),
  conditionColumn('Available', 'Available', 'Whether the Machine has been Ready for minReadySeconds'),
  conditionColumn('Up-to-date', 'UpToDate', 'Whether the Machine matches the spec of its owner'),
  wide(textColumn('Internal-IP', '.status.addresses[?(@.type=="InternalIP")].address', 'Internal address')),
  wide(textColumn('External-IP', '.status.addresses[?(@.type=="ExternalIP")].address', 'External address')),
  wide(textColumn('OS-Image', '.status.nodeInfo.osImage', 'Operating system that the node reports')),
  pausedColumn,
  textColumn('Phase', '.status.phase', 'Phase of the Machine, such as Running'),
  ageColumn('Machine'),
  textColumn('Version', '.spec.version', 'Kubernetes version of the Machine'),
];
