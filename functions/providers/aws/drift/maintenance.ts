import type { Cluster } from '../../../../shared/kinds/index.ts';
import { withNotice } from '../../../../shared/plan/instance-events/notice.ts';
import { planMaintenance } from '../../../../shared/providers/aws/plan/drift/maintenance.ts';
import type { DriftDependencies } from '../../../drift/dependencies.ts';
import type { Observation } from '../../../drift/observe.ts';
import type { SweepRun } from '../../../drift/run.ts';
import { giveNotice, withdrawNotice } from '../../../events/notice.ts';

/** Records on the machines what EC2 has scheduled for them, and returns the clusters for which there is news. */
export const noteMaintenance = async (
  deps: DriftDependencies,
  { machines, scheduled }: Observation,
  run: SweepRun,
): Promise<Cluster[]> => {
  const now = deps.clock.now();
  const plans = await run.each('plan its maintenance', machines, (known) => planMaintenance([known], scheduled, now));
  const give = plans
    .flatMap((plan) => plan.give)
    .filter(({ known, notice }) => withNotice(known.machine, notice) !== undefined)
    .map((one) => ({ ...one, ...one.known }));
  const withdraw = plans.flatMap((plan) => plan.withdraw).map((one) => ({ ...one, ...one.known }));
  await run.pledge([...give, ...withdraw].map(({ cluster }) => cluster));
  const given = await run.each('announce its maintenance', give, async ({ machine, cluster, notice }) =>
    (await giveNotice(deps, machine, notice)) ? [cluster] : [],
  );
  const withdrawn = await run.each('call off its maintenance', withdraw, async ({ machine, cluster, id }) =>
    (await withdrawNotice(deps, machine, id)) ? [cluster] : [],
  );
  return [...given, ...withdrawn].flat();
};
