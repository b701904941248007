/** The clusters of an installation, one line each. Pure. */
import type { Cluster } from '../../../shared/kinds/index.ts';
import { ageOf } from './age.ts';
import { conditionsOf, isTrue } from './conditions.ts';
import { columns } from './table.ts';

/** One cluster of the fleet. */
export interface FleetRow {
  namespace: string;
  name: string;
  phase: string;
  available: boolean;
  /** Kubernetes versions of its machines, control plane first. */
  versions: readonly string[];
  controlPlane: MachineCount;
  workers: MachineCount;
  endpoint: string;
  created: string;
  /** The first line of why it is not available; empty where it is. */
  why: string;
}

interface MachineCount {
  desired: number;
  ready: number;
}

type Replicas = NonNullable<NonNullable<Cluster['status']>['workers']>;

const countOf = (replicas: Replicas | undefined): MachineCount => ({
  desired: replicas?.desiredReplicas ?? 0,
  ready: replicas?.readyReplicas ?? 0,
});

const versionsOf = ({ status }: Cluster): string[] => {
  const all = [...(status?.controlPlane?.versions ?? []), ...(status?.workers?.versions ?? [])];
  return [...new Set(all.map(({ version }) => version))];
};

/** The top-level entries of a summary's message, in which upstream lists one condition per bullet. */
const entriesOf = (message: string): string[] =>
  message
    .split('\n')
    .filter((line) => !/^\s/.test(line))
    .map((line) => line.replace(/^\* /, ''));

/** A cluster that nothing reaches yet has a reason for it: that is what a person wants to read. */
const whyOf = (cluster: Cluster): string => {
  const available = conditionsOf(cluster).find(({ type }) => type === 'Available');
  if (available === undefined || available.status === 'True') return '';
  const entries = entriesOf(available.message || available.reason || '');
  return entries.find((entry) => !entry.startsWith('RemoteConnectionProbe:')) ?? entries[0] ?? '';
};

export const fleetRowOf = (cluster: Cluster): FleetRow => {
  const { metadata, spec, status } = cluster;
  const { host, port } = spec.controlPlaneEndpoint ?? {};
  return {
    namespace: metadata.namespace ?? '',
    name: metadata.name,
    phase: metadata.deletionTimestamp ? 'Deleting' : (status?.phase ?? 'Pending'),
    available: isTrue(cluster, 'Available'),
    versions: versionsOf(cluster),
    controlPlane: countOf(status?.controlPlane),
    workers: countOf(status?.workers),
    endpoint: host ? `https://${host}:${port}` : '',
    created: metadata.creationTimestamp ?? '',
    why: whyOf(cluster),
  };
};

const HEADER = ['NAMESPACE', 'NAME', 'PHASE', 'AVAILABLE', 'CONTROL PLANE', 'WORKERS', 'VERSION', 'AGE', 'MESSAGE'];

const ready = ({ desired, ready: count }: MachineCount): string => `${count}/${desired}`;

/** The fleet as a table; `WORKERS` and `CONTROL PLANE` are ready machines of those wanted. */
export const fleetText = (rows: readonly FleetRow[], now: Date): string => {
  const cells = rows.map((row) => [
    row.namespace,
    row.name,
    row.phase,
    row.available ? 'True' : 'False',
    ready(row.controlPlane),
    ready(row.workers),
    row.versions.join(','),
    ageOf(row.created, now),
    row.why,
  ]);
  return `${columns([HEADER, ...cells], { header: 1 }).join('\n')}\n`;
};
