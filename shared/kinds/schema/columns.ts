import type { PrinterColumn } from '../../kube-api/resource.ts';

/** Cluster API only shows columns with this priority with `-o wide`. */
const WIDE = 10;

export const textColumn = (name: string, jsonPath: string, description: string): PrinterColumn => ({
  name,
  type: 'string',
  jsonPath,
  description,
});

export const clusterLabelColumn = textColumn(
  'Cluster',
  ".metadata.labels['cluster\\.x-k8s\\.io/cluster-name']",
  'Cluster',
);

export const countColumn = (name: string, jsonPath: string, description: string): PrinterColumn => ({
  name,
  type: 'integer',
  jsonPath,
  description,
});

export const conditionColumn = (name: string, type: string, description: string): PrinterColumn =>
  textColumn(name, `.status.conditions[?(@.type=="${type}")].status`, description);

export const wide = (column: PrinterColumn): PrinterColumn => ({ ...column, priority: WIDE });

export const pausedColumn = wide(conditionColumn('Paused', 'Paused', 'Reconciliation paused'));

export const ageColumn = (kind: string): PrinterColumn => ({
  name: 'Age',
  type: 'date',
  jsonPath: '.metadata.creationTimestamp',
  description: `Time since the ${kind} was created`,
});

/** The counters of a set of machines, from `Desired` to `Up-to-date`. */
export const replicaColumns: readonly PrinterColumn[] = [
  countColumn('Desired', '.spec.replicas', 'Machines wanted'),
  countColumn('Current', '.status.replicas', 'Machines that exist'),
  countColumn('Ready', '.status.readyReplicas', 'Machines whose Ready condition is True'),
  countColumn('Available', '.status.availableReplicas', 'Machines whose Available condition is True'),
  countColumn('Up-to-date', '.status.upToDateReplicas', 'Machines whose UpToDate condition is True'),
];
