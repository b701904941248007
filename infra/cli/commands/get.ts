import { systemClock } from '../../../shared/clock.ts';
import type { Cluster } from '../../../shared/kinds/index.ts';
import { GROUP } from '../../../shared/plan/labels.ts';
import type { PriceList } from '../../../shared/providers/aws/plan/cost/prices.ts';
import { type Api, ApiError } from '../api/answer.ts';
import { type ContextOptions, openContext } from '../api/kubeconfig-client.ts';
import { listAll } from '../api/resources.ts';
import { costNotes, costText, ownCostNote } from '../describe/cost.ts';
import { type FleetRow, fleetCost, fleetRowOf, fleetText } from '../describe/fleet.ts';
import { type DetailsOf, detailsOf, readFleet } from '../describe/fleet-details.ts';
import { readPrices } from '../prices.ts';

export interface GetClustersOptions extends ContextOptions {
  output: string;
  /** A file of prices. */
  prices?: string;
}

const byPlace = (a: FleetRow, b: FleetRow): number =>
  a.namespace.localeCompare(b.namespace) || a.name.localeCompare(b.name);

/** A user who may only list clusters still gets these. */
const readDetails = async (api: Api, namespace: string | undefined, prices: readonly PriceList[]) => {
  try {
    return detailsOf(await readFleet(api, namespace), prices);
  } catch (error) {
    if (!(error instanceof ApiError) || error.status.code !== 403) throw error;
    process.stderr.write(`Drift and cost are not shown: ${error.message}\n`);
    return undefined;
  }
};

/** The total below a wide table. */
const wideText = (rows: readonly FleetRow[]): string => {
  const cost = fleetCost(rows);
  if (cost === undefined) return '';
  const notes = [...costNotes(cost), ownCostNote(cost.own, 'these clusters')];
  return `\nAll clusters: ${costText(cost)} a month. ${notes.join('\n')}\n`;
};

/** Prints the clusters of all namespaces, or of a given one. */
export const getClusters = async (options: GetClustersOptions): Promise<number> => {
  const prices = readPrices(options.prices);
  const { api } = openContext(options);
  const { namespace, output } = options;
  const path = `/apis/${GROUP.core}/v1beta2${namespace === undefined ? '' : `/namespaces/${namespace}`}/clusters`;
  const clusters = await listAll<Cluster>(api, path);
  const isPlain = output === 'text' || clusters.length === 0;
  const details: DetailsOf | undefined = isPlain ? undefined : await readDetails(api, namespace, prices);
  const rows = clusters.map((cluster) => fleetRowOf(cluster, details)).sort(byPlace);
  if (output === 'json') process.stdout.write(`${JSON.stringify(rows, null, 2)}\n`);
  else if (rows.length === 0) process.stderr.write('There are no clusters.\n');
  else process.stdout.write(`${fleetText(rows, systemClock.now())}${output === 'wide' ? wideText(rows) : ''}`);
  return 0;
};
