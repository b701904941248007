import type { PrinterColumn } from '../../kube-api/resource.ts';
import { textColumn } from '../schema/columns.ts';

/** As in upstream, without `Age`. */
export const awsMachineColumns: readonly PrinterColumn[] = [
  textColumn('Cluster', '.metadata.labels.cluster\\.x-k8s\\.io/cluster-name', 'Cluster that the AWSMachine belongs to'),
  textColumn('State', '.status.instanceState', 'State of the instance'),
  textColumn('Ready', '.status.ready', 'Whether the machine is ready'),
  textColumn('InstanceID', '.spec.providerID', 'Provider id of the instance'),
  textColumn('Machine', '.metadata.ownerReferences[?(@.kind=="Machine")].name', 'Machine that owns it'),
];
