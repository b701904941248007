import type { Cluster } from '../../shared/kinds/index.ts';
import { safeReason } from '../../shared/safe-reason.ts';
import type { DriftDependencies } from './dependencies.ts';
import type { Observation, SeenPart, UnreadPart } from './fleet/observe.ts';
import { turnOf } from './fleet/turns.ts';
import type { Compared } from './instances/states.ts';
import { readChecks } from './nodes/health-drift.ts';
import { nodeDrift } from './nodes/node-drift.ts';
import type { SweepRun } from './run.ts';

/**
 * The clusters whose infrastructure or nodes were changed outside Windlass, so that a pass has something to repair or
 * to report. The pass finds the differences by itself. What could not be read is logged and added to the faults of the
 * run.
 */
export const infrastructureDrift = async (
  deps: DriftDependencies,
  {
    namespaces,
    unread,
    believed,
    trusted,
  }: Pick<Observation, 'namespaces' | 'unread'> & Pick<Compared, 'believed' | 'trusted'>,
  run: SweepRun,
): Promise<Cluster[]> => {
  const turn = turnOf(
    [...believed, ...unread].flatMap(({ clusters }) => clusters),
    deps,
  );
  const checks = await readChecks(deps, namespaces, run.budget);
  const isolated = async ({ provider }: SeenPart | UnreadPart, look: () => Promise<readonly Cluster[]>) => {
    try {
      return await look();
    } catch (error) {
      const reason = safeReason(error);
      deps.log.error('a part of a fleet could not be compared', { provider: provider.name, reason });
      run.faults.push(error);
      return [];
    }
  };
  // Nodes are read even while the brake applies, because it depends on them.
  const found = await Promise.all([
    ...trusted.map((part) => isolated(part, () => part.infrastructureDrift(part, turn, run))),
    ...believed.map((part) => isolated(part, () => nodeDrift(deps, part, turn, run, checks))),
    ...unread.map((part) => isolated(part, () => nodeDrift(deps, { ...part, isUnread: true }, turn, run, checks))),
  ]);
  return found.flat();
};
