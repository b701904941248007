/** Parts of a fleet that sweeps compare apart from each other, so that none takes more time or memory than a function has. */
import { createHash } from 'node:crypto';
import type { SweepResult } from './sweep.ts';

/** One of `of` parts, from 0 on. A namespace is in one of them as a whole. */
export interface Shard {
  readonly index: number;
  readonly of: number;
}

/** What is done once in a sweep, and not for each namespace, is done with this part. */
export const isFirst = ({ index }: Shard): boolean => index === 0;

/** The same forever, and even over many namespaces. */
export const isIn = (namespace: string, { index, of }: Shard): boolean =>
  of === 1 || createHash('sha256').update(namespace).digest().readUInt32BE(0) % of === index;

/**
 * The parts that an invocation sweeps: the one that the schedule names, or all, one after the other, where nobody named
 * any. Throws an Error for a part that there is none of.
 */
export const shardsOf = (event: unknown, of: number): Shard[] => {
  const { shard } = (event ?? {}) as { shard?: unknown };
  if (shard === undefined) return Array.from({ length: of }, (_, index) => ({ index, of }));
  if (typeof shard !== 'number' || !Number.isInteger(shard) || shard < 0 || shard >= of)
    throw new Error(`shard must be a whole number from 0 to ${of - 1}, not ${JSON.stringify(shard)}`);
  return [{ index: shard, of }];
};

const sum = (results: readonly SweepResult[], of: (result: SweepResult) => number): number =>
  results.reduce((total, result) => total + of(result), 0);

const sumPhases = (results: readonly SweepResult[]): SweepResult['fleetMetrics']['phases'] => {
  const phases: Record<string, number> = {};
  for (const { fleetMetrics } of results)
    for (const [phase, count] of Object.entries(fleetMetrics.phases)) phases[phase] = (phases[phase] ?? 0) + count;
  return phases as SweepResult['fleetMetrics']['phases'];
};

/** What the sweeps over all parts come to together. */
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
    fleetMetrics: {
      phases: sumPhases(results),
      certificateDays: days.length > 0 ? Math.min(...days) : undefined,
    },
  };
};

/** Sweeps the parts one after the other. One that fails stops no other; what the first of them threw is thrown then. */
export const sweepShards = async (
  shards: readonly Shard[],
  sweepOne: (shard: Shard) => Promise<SweepResult>,
): Promise<SweepResult> => {
  const results: SweepResult[] = [];
  const failures: unknown[] = [];
  for (const shard of shards) {
    try {
      results.push(await sweepOne(shard));
    } catch (error) {
      failures.push(error);
    }
  }
  if (failures.length > 0) throw failures[0];
  return together(results);
};
