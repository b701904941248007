import { systemClock } from '../../../shared/clock.ts';
import type { Cluster } from '../../../shared/kinds/index.ts';
import { GROUP } from '../../../shared/plan/labels.ts';
import { type ContextOptions, openContext } from '../api/kubeconfig-client.ts';
import { listAll } from '../api/resources.ts';
import { type FleetRow, fleetRowOf, fleetText } from '../describe/fleet.ts';

export interface GetClustersOptions extends ContextOptions {
  output: string;
}

const byPlace = (a: FleetRow, b: FleetRow): number =>
  a.namespace.localeCompare(b.namespace) || a.name.localeCompare(b.name);

/** Prints the clusters of all namespaces, or of one that is named. */
export const getClusters = async (options: GetClustersOptions): Promise<number> => {
  const { api } = openContext(options);
  const { namespace } = options;
  const path = `/apis/${GROUP.core}/v1beta2${namespace === undefined ? '' : `/namespaces/${namespace}`}/clusters`;
  const rows = (await listAll<Cluster>(api, path)).map(fleetRowOf).sort(byPlace);
  if (options.output === 'json') process.stdout.write(`${JSON.stringify(rows, null, 2)}\n`);
  else if (rows.length === 0) process.stderr.write('There are no clusters.\n');
  else process.stdout.write(fleetText(rows, systemClock.now()));
  return 0;
};
