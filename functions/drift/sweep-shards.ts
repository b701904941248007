import type { Shard } from './shards.ts';
import type { Sweep, SweepResult } from './sweep.ts';

const sum = (results: readonly SweepResult[], of: (result: SweepResult) => number): number =>
  results.reduce((total, result) => total + of(result), 0);

const sumPhases = (results: readonly SweepResult[]): SweepResult['fleetMetrics']['phases'] => {
  const phases: Record<string, number> = {};
  for (const { fleetMetrics } of results)
    for (const [phase, count] of Object.entries(fleetMetrics.phases)) phases[phase] = (phases[phase] ?? 0) + count;
  return phases as SweepResult['fleetMetrics']['phases'];
};

/** The combined results of the sweeps over all parts. */
export const together = (results: readonly SweepResult[]): SweepResult => {
  const days = results.flatMap(({ fleetMetrics }) => fleetMetrics.certificateDays ?? []);
  return {
    due: sum(results, ({ due }) => due),
    stalled: sum(results, ({ stalled }) => stalled),
    considered: sum(results, ({ considered }) => considered),
    found: sum(results, ({ found }) => found),
    isSuspicious: results.some(({ isSuspicious }) => isSuspicious),
    touched: sum(results, ({ touched }) => touched),
    collected: sum(results, ({ collected }) => collected),
    troubled: sum(results, ({ troubled }) => troubled),
    passedOver: sum(results, ({ passedOver }) => passedOver),
    hasFailedExport: results.some(({ hasFailedExport }) => hasFailedExport),
    fleetMetrics: {
      phases: sumPhases(results),
      certificateDays: days.length > 0 ? Math.min(...days) : undefined,
    },
  };
};

/**
 * Sweeps the parts one after the other. A part that throws does not stop the others: the result is that of the others,
 * and the error is one of the faults.
 */
export const sweepShards = async (
  shards: readonly Shard[],
  sweepOne: (shard: Shard) => Promise<Sweep>,
): Promise<Sweep> => {
  const results: SweepResult[] = [];
  const faults: unknown[] = [];
  for (const shard of shards) {
    try {
      const one = await sweepOne(shard);
      results.push(one.result);
      faults.push(...one.faults);
    } catch (error) {
      faults.push(error);
    }
  }
  return { result: together(results), faults };
};
