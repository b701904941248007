import { driftPoliciesOf } from '../../../shared/kinds/rules/drift-policy.ts';
import type { Drift } from '../../../shared/plan/drift/claims.ts';
import { isPaused } from '../../../shared/plan/status/cluster-claims.ts';
import type { PlacedCluster } from '../../../shared/providers/infrastructure.ts';
import type { UnknownInstance } from '../../providers/sweep-port.ts';
import type { DriftDependencies } from '../dependencies.ts';
import type { SeenPart } from '../fleet/observe.ts';
import { reportCall } from '../reports/report-call.ts';
import { reportUnknown } from '../reports/report-drift.ts';
import type { SweepRun } from '../run.ts';

type UnknownDependencies = Pick<DriftDependencies, 'objects' | 'clock'>;

const driftOf = ({ message }: UnknownInstance): Drift => ({ kind: 'UnknownInstance', policy: 'Report', message });

const isOf = ({ cluster: { metadata } }: PlacedCluster, { cluster }: UnknownInstance): boolean =>
  cluster.namespace === metadata.namespace && cluster.name === metadata.name;

/** Reports instances of clusters that belong to no machine, or terminates them if the cluster's policy says so. */
export const handleUnknownInstances = async (
  deps: UnknownDependencies,
  parts: readonly SeenPart[],
  run: SweepRun,
): Promise<void> => {
  const now = deps.clock.now();
  const looked = [...Map.groupBy(parts, ({ sight }) => sight)].flatMap(([sight, own]) => {
    const clusters = own
      .flatMap((part) => part.clusters)
      .filter(({ cluster }) => !cluster.metadata.deletionTimestamp && !isPaused(cluster));
    const unknown = sight.unknownInstances(clusters, now);
    return clusters.map((at) => ({ ...at, unknown: unknown.filter((one) => isOf(at, one)) }));
  });
  await run.each('look for instances without a Machine', looked, async ({ cluster, unknown }) => {
    const isRepaired = driftPoliciesOf(cluster).UnknownInstance === 'Repair';
    const calls = isRepaired ? unknown.flatMap(({ terminate }) => terminate ?? []) : [];
    for (const call of calls) await reportCall(deps, cluster, call);
    const left = unknown.filter(({ terminate }) => !terminate || !calls.includes(terminate));
    await reportUnknown(deps, cluster, left.map(driftOf));
  });
};
