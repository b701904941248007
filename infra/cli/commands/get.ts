import { systemClock } from '../../../shared/clock.ts';
import type { Cluster } from '../../../shared/kinds/index.ts';
import { GROUP } from '../../../shared/plan/labels.ts';
import { type ContextOptions, openContext } from '../api/kubeconfig-client.ts';
import { type FleetRow, fleetRowOf, fleetText } from '../describe/fleet.ts';

export interface GetClustersOptions extends ContextOptions {
  output: string;
}

const PAGE = 500;

interface Page {
  items: Cluster[];
  metadata: { continue?: string };
}

const readClusters = async ({ api, namespace }: { api: ReturnType<typeof openContext>['api']; namespace?: string }) => {
  const base = `/apis/${GROUP.core}/v1beta2${namespace === undefined ? '' : `/namespaces/${namespace}`}/clusters`;
  const clusters: Cluster[] = [];
  let next = '';
  do {
    const page: Page = await api.send('GET', `${base}?limit=${PAGE}&continue=${encodeURIComponent(next)}`);
    clusters.push(...page.items);
    next = page.metadata.continue ?? '';
  } while (next !== '');
  return clusters;
};

const byPlace = (a: FleetRow, b: FleetRow): number =>
  a.namespace.localeCompare(b.namespace) || a.name.localeCompare(b.name);

/** Prints the clusters of all namespaces, or of one that is named. */
export const getClusters = async (options: GetClustersOptions): Promise<number> => {
  const { api } = openContext(options);
  const rows = (await readClusters({ api, namespace: options.namespace })).map(fleetRowOf).sort(byPlace);
  if (options.output === 'json') process.stdout.write(`${JSON.stringify(rows, null, 2)}\n`);
  else if (rows.length === 0) process.stderr.write('There are no clusters.\n');
  else process.stdout.write(fleetText(rows, systemClock.now()));
  return 0;
};
