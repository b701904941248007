import type { PrinterColumn } from '../../kube-api/resource.ts';
import { textColumn } from '../schema/columns.ts';

/** As in upstream, without `Age`. */
export const awsClusterColumns: readonly PrinterColumn[] = [
  textColumn('Cluster', '.metadata.labels.cluster\\.x-k8s\\.io/cluster-name', 'Cluster that the AWSCluster belongs to'),
  textColumn('Ready', '.status.ready', 'Whether instances can be launched'),
  textColumn('VPC', '.spec.network.vpc.id', 'VPC of the cluster'),
  { ...textColumn('Endpoint', '.spec.controlPlaneEndpoint', 'API endpoint'), priority: 1 },
  textColumn('Bastion IP', '.status.bastion.publicIp', 'IPv4 address of the bastion'),
  textColumn('Bastion IPv6', '.status.bastion.ipv6Address', 'IPv6 address of the bastion'),
];
