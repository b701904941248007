import type { DriftDependencies } from '../dependencies.ts';

/** How often the sweep looks for what is left over: it is harmless, and looking costs almost nothing. */
export const HOURLY_MINUTES = 60;

/** Whether this sweep is the first of its hour. */
export const isHourly = ({ clock, sweepMinutes }: Pick<DriftDependencies, 'clock' | 'sweepMinutes'>): boolean =>
  (clock.now().getTime() / 60_000) % HOURLY_MINUTES < sweepMinutes;
