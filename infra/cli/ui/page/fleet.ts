/** The fleet: one row for each cluster. */
import { useEffect, useState } from 'preact/hooks';
import type { Cluster } from '../../../../shared/kinds/index.ts';
import type { PriceList } from '../../../../shared/providers/aws/plan/cost/prices.ts';
import { ageOf } from '../../describe/age.ts';
import { driftsOf } from '../../describe/conditions.ts';
import { costNotes, costText, ownCostNote } from '../../describe/cost.ts';
import { type FleetRow, fleetCost, fleetRowOf, rowCost } from '../../describe/fleet.ts';
import { useFleetDetails } from './fleet-live.ts';
import { type Filter, filterRows, needsAttention, PAGE_ROWS } from './fleet-rows.ts';
import { type Element, html } from './html.ts';
import { useClusters } from './live.ts';
import { Problem } from './notices.ts';
import { clusterAddress } from './route.ts';

const COLUMNS = [
  'Cluster',
  'Namespace',
  'State',
  'Control plane',
  'Workers',
  'Version',
  'Age',
  'Drift',
  'Cost a month',
  'Why',
];

const counted = ({ ready, desired }: FleetRow['workers']): string => `${ready}/${desired}`;

const Row = ({ row, now }: { row: FleetRow; now: Date }): Element => html`
  <tr class=${needsAttention(row) ? 'attention' : ''}>
    <th scope="row"><a href=${clusterAddress(row.namespace, row.name)}>${row.name}</a></th>
    <td>${row.namespace}</td>
    <td><${State} isGood=${!needsAttention(row)}>${row.phase}${row.available ? '' : ', not Available'}<//></td>
    <td class="number">${counted(row.controlPlane)}</td>
    <td class="number">${counted(row.workers)}</td>
    <td>${row.versions.join(', ')}</td>
    <td>${row.created === '' ? '' : ageOf(row.created, now)}</td>
    <td>${row.details?.drift.length ? html`<${State} isGood=${false}>${row.details.drift.join(', ')}<//>` : row.details ? 'none' : ''}</td>
    <td class="number">${row.details ? rowCost(row) : ''}</td>
    <td class="why">${row.why}</td>
  </tr>
`;

/** A state as text with a sign, because some users cannot distinguish colors. */
export const State = ({ isGood, children }: { isGood: boolean; children?: unknown }): Element =>
  html`<span class=${isGood ? 'state good' : 'state bad'}><span aria-hidden="true">${isGood ? '●' : '▲'}</span> ${children}</span>`;

interface TableOptions {
  rows: readonly FleetRow[];
  now: Date;
  page: number;
}

/** The rows of one page as a table. */
const FleetTable = ({ rows, now, page }: TableOptions): Element => html`
  <div class="scroll">
    <table>
      <caption class="hidden">Clusters; machines are ready of wanted</caption>
      <thead><tr>${COLUMNS.map((title) => html`<th scope="col">${title}</th>`)}</tr></thead>
      <tbody>
        ${rows
          .slice(page * PAGE_ROWS, (page + 1) * PAGE_ROWS)
          .map((row) => html`<${Row} key=${`${row.namespace}/${row.name}`} row=${row} now=${now} />`)}
      </tbody>
    </table>
  </div>
`;

interface PagerOptions {
  page: number;
  pages: number;
  go(page: number): void;
}

const Pager = ({ page, pages, go }: PagerOptions): Element =>
  pages < 2
    ? null
    : html`
        <nav class="pager" aria-label="Pages">
          <button type="button" disabled=${page === 0} onClick=${() => go(page - 1)}>Previous</button>
          <span>Page ${page + 1} of ${pages}</span>
          <button type="button" disabled=${page >= pages - 1} onClick=${() => go(page + 1)}>Next</button>
        </nav>
      `;

interface FilterOptions {
  filter: Filter;
  set(filter: Filter): void;
}

const Filters = ({ filter, set }: FilterOptions): Element => html`
  <search class="filters">
    <label>Search <kbd>/</kbd>
      <input id="search" type="search" value=${filter.text} autocomplete="off"
        onInput=${({ currentTarget }: { currentTarget: HTMLInputElement }) => set({ ...filter, text: currentTarget.value })} />
    </label>
    <label>Show
      <select id="show" value=${filter.state}
        onChange=${({ currentTarget }: { currentTarget: HTMLSelectElement }) =>
          set({ ...filter, state: currentTarget.value as Filter['state'] })}>
        <option value="all">all clusters</option>
        <option value="attention">those that need attention</option>
        <option value="available">those that are well</option>
      </select>
    </label>
  </search>
`;

/** `3 clusters, 1 needs attention`: screen readers announce changes. */
const summaryOf = (rows: readonly FleetRow[], shown: number): string => {
  const bad = rows.filter(needsAttention).length;
  const all = `${rows.length} ${rows.length === 1 ? 'cluster' : 'clusters'}`;
  const attention = bad === 0 ? 'all are well' : `${bad} ${bad === 1 ? 'needs' : 'need'} attention`;
  return [all, ...(rows.length === 0 ? [] : [attention]), ...(shown === rows.length ? [] : [`${shown} shown`])].join(
    ', ',
  );
};

/** The total cost of the clusters that are shown. */
const Sum = ({ rows }: { rows: readonly FleetRow[] }): Element => {
  const cost = fleetCost(rows);
  if (cost === undefined) return null;
  const notes = [...costNotes(cost), ownCostNote(cost.own, 'these clusters')];
  return html`<p id="sum"><strong>${costText(cost)} a month.</strong> <span class="dim">${notes.join(' ')}</span></p>`;
};

interface FleetOptions {
  namespace?: string;
  prices: readonly PriceList[];
  now: Date;
}

/** Changes with the clusters, their machines and their drift. */
const revisionOf = (clusters: readonly Cluster[]): string =>
  clusters
    .map((one) =>
      [
        one.metadata.uid,
        one.metadata.deletionTimestamp,
        one.status?.phase,
        JSON.stringify([one.status?.controlPlane, one.status?.workers]),
        ...driftsOf(one),
      ].join(),
    )
    .join(';');

export const Fleet = ({ namespace, prices, now }: FleetOptions): Element => {
  const { value, problem } = useClusters(namespace);
  const details = useFleetDetails(namespace, prices, revisionOf((value ?? []) as readonly Cluster[]));
  const [filter, setFilter] = useState<Filter>({ text: '', state: 'all' });
  const [page, setPage] = useState(0);
  useEffect(() => {
    document.title = 'Clusters - Windlass';
  }, []);
  if (value === undefined) return html`<${Problem} text=${problem} /><p role="status">Reading the clusters...</p>`;
  const rows = value.map((object) => fleetRowOf(object as Cluster, details.value));
  const shown = filterRows(rows, filter);
  const pages = Math.max(1, Math.ceil(shown.length / PAGE_ROWS));
  const current = Math.min(page, pages - 1);
  return html`
    <h2>Clusters</h2>
    <${Problem} text=${problem ?? details.problem} />
    <${Filters} filter=${filter} set=${setFilter} />
    <p role="status" aria-live="polite">${summaryOf(rows, shown.length)}</p>
    ${
      rows.length === 0
        ? html`<p>There are no clusters yet. Apply a manifest with <code>kubectl apply -f cluster.yaml</code>.</p>`
        : html`<${FleetTable} rows=${shown} now=${now} page=${current} />`
    }
    <${Sum} rows=${shown} />
    <${Pager} page=${current} pages=${pages} go=${setPage} />
  `;
};
