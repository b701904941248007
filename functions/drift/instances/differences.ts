import type { Cluster } from '../../../shared/kinds/index.ts';
import { type Notice, withNotice } from '../../../shared/plan/instance-events/notice.ts';
import { giveNotice } from '../../events/notice.ts';
import type { InstanceDifference } from '../../providers/sweep-port.ts';
import type { DriftDependencies } from '../dependencies.ts';
import type { SeenMachine } from '../fleet/observe.ts';
import { reportCall } from '../reports/report-call.ts';
import { reportDrift } from '../reports/report-drift.ts';
import type { SweepRun } from '../run.ts';

type RepairDependencies = Pick<DriftDependencies, 'objects' | 'clock'>;

/** The notice that makes the owner replace a machine. */
export const replacement = ({ message: what }: Pick<InstanceDifference, 'message'>, now: Date): Notice => ({
  reason: 'Drift',
  at: now.toISOString(),
  what,
});

/** Applies the remedy for a difference. True if the cluster needs a pass. */
const repair = async (
  deps: RepairDependencies,
  { machine }: SeenMachine,
  difference: InstanceDifference,
): Promise<boolean> => {
  const { remedy } = difference;
  if (remedy === 'replace') return giveNotice(deps, machine, replacement(difference, deps.clock.now()));
  if (remedy === undefined) return false;
  await ('adopt' in remedy ? remedy.adopt() : reportCall(deps, machine, remedy));
  return false;
};

/**
 * Finds differences between instances and machines, applies the policies, and returns the clusters that need a pass.
 */
export const repairInstances = async (
  deps: RepairDependencies,
  machines: readonly SeenMachine[],
  run: SweepRun,
): Promise<Cluster[]> => {
  const found = await run.each('compare its instance', machines, async (known) => {
    const differences = await known.sight.differences(known);
    await reportDrift(deps, known.machine, differences);
    return differences.map((difference) => ({ ...known, known, difference }));
  });
  const all = found.flat();
  const now = deps.clock.now();
  const replaced = all.filter(
    ({ machine, difference }) => difference.remedy === 'replace' && withNotice(machine, replacement(difference, now)),
  );
  await run.pledge(replaced.map(({ cluster }) => cluster));
  const news = await run.each('repair its instance', all, async ({ cluster, known, difference }) =>
    (await repair(deps, known, difference)) ? [cluster] : [],
  );
  return news.flat();
};
