/** The clusters of an installation, one line each. Pure. */
import type { Cluster } from '../../../shared/kinds/index.ts';
import type { CostEstimate } from '../../../shared/providers/aws/plan/cost/estimate.ts';
import { ageOf } from './age.ts';
import { conditionsOf, isTrue } from './conditions.ts';
import { costText } from './cost.ts';
import type { DetailsOf, FleetDetails } from './fleet-details.ts';
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
  /** The first reason why it is not available, on one line; empty if it is. */
  why: string;
  /** Undefined if they were not read. */
  details?: FleetDetails;
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

/**
 * The entries of a summary's message, in which upstream lists one condition per bullet, each as one line. An entry ends
 * with the first line that is not the title of the lines below it.
 */
const entriesOf = (message: string): string[] =>
  message.split(/\n(?=\S)/).map((entry) => {
    const lines = entry.split('\n').map((line) => line.replace(/^\s*\* /, '').trim());
    const end = lines.findIndex((line) => !line.endsWith(':'));
    return lines.slice(0, end < 0 ? undefined : end + 1).join(' ');
  });

/** A cluster that cannot be reached yet has another reason for it, which is more useful. */
const whyOf = (cluster: Cluster): string => {
  const available = conditionsOf(cluster).find(({ type }) => type === 'Available');
  if (available === undefined || available.status === 'True') return '';
  const entries = entriesOf(available.message || available.reason || '');
  return entries.find((entry) => !entry.startsWith('RemoteConnectionProbe:')) ?? entries[0] ?? '';
};

/** A row of a Cluster; `detailsOf` adds what is read from other objects. */
export const fleetRowOf = (cluster: Cluster, detailsOf?: DetailsOf): FleetRow => {
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
    ...(detailsOf ? { details: detailsOf(cluster) } : {}),
  };
};

const HEADER = ['NAMESPACE', 'NAME', 'PHASE', 'AVAILABLE', 'CONTROL PLANE', 'WORKERS', 'VERSION', 'AGE'];
const WIDE = ['DRIFT', 'COST/MONTH'];
const LAST = 'MESSAGE';

const ready = ({ desired, ready: count }: MachineCount): string => `${count}/${desired}`;

/** The cost of a row; `-` if the infrastructure is not AWS, which differs from an unknown price. */
export const rowCost = ({ details }: FleetRow): string => (details?.cost === undefined ? '-' : costText(details.cost));

const wideCells = (row: FleetRow): string[] => [row.details?.drift.join(', ') || 'none', rowCost(row)];

/**
 * The fleet as a table; `WORKERS` and `CONTROL PLANE` show the ready and the desired machines. Drift and cost are shown
 * if all rows have them.
 */
export const fleetText = (rows: readonly FleetRow[], now: Date): string => {
  const isWide = rows.every(({ details }) => details !== undefined);
  const cells = rows.map((row) => [
    row.namespace,
    row.name,
    row.phase,
    row.available ? 'True' : 'False',
    ready(row.controlPlane),
    ready(row.workers),
    row.versions.join(','),
    ageOf(row.created, now),
    ...(isWide ? wideCells(row) : []),
    row.why,
  ]);
  const header = [...HEADER, ...(isWide ? WIDE : []), LAST];
  return `${columns([header, ...cells], { header: 1 }).join('\n')}\n`;
};

const sum = (amounts: readonly (number | undefined)[]): number =>
  amounts.reduce<number>((all, one) => all + (one ?? 0), 0);

/** Combines the cost of Windlass itself: each cluster has its own share, and all have the installation in common. */
const ownOf = (costs: readonly Omit<CostEstimate, 'lines'>[]): Pick<CostEstimate, 'own'> => {
  const all = costs.flatMap(({ own }) => own ?? []);
  const [first] = all;
  if (first === undefined || all.length < costs.length) return {};
  return { own: { cluster: sum(all.map(({ cluster }) => cluster)), installation: first.installation } };
};

/** The total cost of all clusters; undefined if no row has a price. */
export const fleetCost = (rows: readonly FleetRow[]): Omit<CostEstimate, 'lines'> | undefined => {
  const costs = rows.flatMap(({ details }) => details?.cost ?? []);
  const known = costs.filter(({ usdPerMonth }) => usdPerMonth !== undefined);
  if (known.length === 0) return undefined;
  return {
    usdPerMonth: sum(known.map(({ usdPerMonth }) => usdPerMonth)),
    isLowerBound: known.length < rows.length || known.some(({ isLowerBound }) => isLowerBound),
    isUpperBound: known.some(({ isUpperBound }) => isUpperBound),
    region: [...new Set(known.filter(({ hasStandIns }) => hasStandIns).map(({ region }) => region))].join(', '),
    hasStandIns: known.some(({ hasStandIns }) => hasStandIns),
    sources: [...new Set(known.flatMap(({ sources }) => sources))],
    ...ownOf(known),
  };
};
