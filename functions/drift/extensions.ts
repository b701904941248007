import { kinds } from '../../shared/kinds/index.ts';
import { needsDiscovery } from '../../shared/plan/hooks/registrations.ts';
import { isTrue } from '../../shared/plan/status/conditions.ts';
import { isObjectPaused } from '../../shared/plan/status/paused.ts';
import { discoverExtension } from '../extensions/discover.ts';
import type { DriftDependencies } from './dependencies.ts';
import type { SweepRun } from './run.ts';

type ExtensionDependencies = Pick<DriftDependencies, 'objects' | 'clock' | 'sweepMinutes' | 'callExtension'>;

/** An extension may change what it serves without a word, so that all are asked again. */
const EVERY_MINUTES = 60;

const isTurn = ({ clock, sweepMinutes }: ExtensionDependencies): boolean =>
  (clock.now().getTime() / 60_000) % EVERY_MINUTES < sweepMinutes;

/**
 * Asks extensions for their handlers: those that are new, have changed or have not answered in every sweep, all others once
 * an hour. Without extensions this is one read of an empty list.
 */
export const discoverExtensions = async (deps: ExtensionDependencies, run: SweepRun): Promise<void> => {
  const { callExtension } = deps;
  if (!callExtension) return;
  const isHour = isTurn(deps);
  const configs = await deps.objects.list(kinds.extensionConfig);
  const asked = configs.filter(
    (config) =>
      !config.metadata.deletionTimestamp &&
      !isObjectPaused(config) &&
      (isHour || needsDiscovery(config) || !isTrue(config.status?.conditions, 'Discovered')),
  );
  const results = await Promise.allSettled(asked.map((config) => discoverExtension(deps, callExtension, config)));
  for (const result of results) if (result.status === 'rejected') run.faults.push(result.reason);
};
