/** Selects and orders the clusters that are shown. Pure. */
import type { FleetRow } from '../../describe/fleet.ts';

export interface Filter {
  /** Words that must all occur in a row; case does not matter. */
  text: string;
  state: 'all' | 'attention' | 'available';
}

export const PAGE_ROWS = 100;

/** A search for `drift` finds all clusters that have drift. */
const driftWords = (drift: readonly string[] = []): string[] => (drift.length === 0 ? [] : ['drift', ...drift]);

const textOf = ({ namespace, name, phase, versions, why, endpoint, details }: FleetRow): string =>
  [namespace, name, phase, ...versions, why, endpoint, ...driftWords(details?.drift)].join(' ').toLowerCase();

/** Whether a cluster is not available, or lacks machines. */
export const needsAttention = ({ available, phase, controlPlane, workers }: FleetRow): boolean =>
  !available || phase !== 'Provisioned' || [controlPlane, workers].some(({ ready, desired }) => ready < desired);

const byPlace = (a: FleetRow, b: FleetRow): number =>
  Number(needsAttention(b)) - Number(needsAttention(a)) ||
  a.namespace.localeCompare(b.namespace) ||
  a.name.localeCompare(b.name);

/** The rows that match the filter: first those that need attention, then by namespace and name. */
export const filterRows = (rows: readonly FleetRow[], { text, state }: Filter): FleetRow[] => {
  const words = text.toLowerCase().split(/\s+/).filter(Boolean);
  const fits = (row: FleetRow): boolean =>
    (state === 'all' || needsAttention(row) === (state === 'attention')) &&
    words.every((word) => textOf(row).includes(word));
  return rows.filter(fits).sort(byPlace);
};
