import type { Cluster } from '../../../shared/kinds/index.ts';
import { withNotice } from '../../../shared/plan/instance-events/notice.ts';
import { giveNotice, withdrawNotice } from '../../events/notice.ts';
import type { DriftDependencies } from '../dependencies.ts';
import type { SweepRun } from '../run.ts';
import type { Observation } from './observe.ts';

/** Records on the machines what clouds have announced for them. Returns the clusters with news. */
export const noteAnnouncements = async (
  deps: DriftDependencies,
  { machines }: Observation,
  run: SweepRun,
): Promise<Cluster[]> => {
  const now = deps.clock.now();
  const plans = await run.each('plan its maintenance', machines, (known) => ({
    known,
    ...known.sight.announcements(known, now),
  }));
  const give = plans.flatMap(({ known, give: notices }) =>
    notices.filter((notice) => withNotice(known.machine, notice)).map((notice) => ({ ...known, notice })),
  );
  const withdraw = plans.flatMap(({ known, withdraw: ids }) => ids.map((id) => ({ ...known, id })));
  await run.pledge([...give, ...withdraw].map(({ cluster }) => cluster));
  const given = await run.each('announce its maintenance', give, async ({ machine, cluster, notice }) =>
    (await giveNotice(deps, machine, notice)) ? [cluster] : [],
  );
  const withdrawn = await run.each('call off its maintenance', withdraw, async ({ machine, cluster, id }) =>
    (await withdrawNotice(deps, machine, { id, at: now.toISOString() })) ? [cluster] : [],
  );
  return [...given, ...withdrawn].flat();
};
