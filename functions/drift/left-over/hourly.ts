import type { DriftDependencies } from '../dependencies.ts';

/**
 * How often the sweep searches for left-over records and objects: they do no harm, and the search costs almost nothing.
 */
export const HOURLY_MINUTES = 60;

/** Whether this sweep is the first of its hour. */
export const isHourly = ({ clock, sweepMinutes }: Pick<DriftDependencies, 'clock' | 'sweepMinutes'>): boolean =>
  (clock.now().getTime() / 60_000) % HOURLY_MINUTES < sweepMinutes;
