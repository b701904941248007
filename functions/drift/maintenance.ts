import type { Cluster } from '../../shared/kinds/index.ts';
import { planMaintenance } from '../../shared/plan/drift/maintenance.ts';
import { mapConcurrently } from '../../shared/store/concurrency.ts';
import { giveNotice, withdrawNotice } from '../events/notice.ts';
import type { DriftDependencies } from './dependencies.ts';
import type { Observation } from './observe.ts';

const CONCURRENCY = 10;

/** Records on the machines what EC2 has scheduled for them, and returns the clusters for which there is news. */
export const noteMaintenance = async (
  deps: DriftDependencies,
  { machines, scheduled }: Observation,
): Promise<Cluster[]> => {
  const { give, withdraw } = planMaintenance(machines, scheduled, deps.clock.now());
  const given = await mapConcurrently(give, CONCURRENCY, async ({ known, notice }) =>
    (await giveNotice(deps, known.machine, notice)) ? [known.cluster] : [],
  );
  const withdrawn = await mapConcurrently(withdraw, CONCURRENCY, async ({ known, id }) =>
    (await withdrawNotice(deps, known.machine, id)) ? [known.cluster] : [],
  );
  return [...given, ...withdrawn].flat();
};
