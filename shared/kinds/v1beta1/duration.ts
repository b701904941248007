import { formatDuration } from '../rules/duration.ts';
import type { Codec } from './rules.ts';

/**
 * Go's time.ParseDuration: a number and a unit, once or more. A row of zeros can be matched in only one way, so that it
 * takes linear time.
 */
export const DURATION = '^[-+]?(0|(([0-9]+(\\.[0-9]*)?|\\.[0-9]+)(ns|us|µs|μs|ms|s|m|h))+)$';

const SECONDS: Readonly<Record<string, number>> = {
  ns: 1e-9,
  us: 1e-6,
  µs: 1e-6,
  μs: 1e-6,
  ms: 1e-3,
  s: 1,
  m: 60,
  h: 3600,
};

const MOST = 2 ** 31 - 1;

/** Whole seconds of a duration such as `1h2m3s`. */
export const secondsOf = (text: string): number => {
  const parts = text.matchAll(/([0-9.]+)(ns|us|µs|μs|ms|s|m|h)/g);
  const sum = [...parts].reduce((total, [, count, unit]) => total + Number(count) * (SECONDS[unit ?? ''] ?? 0), 0);
  // Sums of fractions such as 0.1h are too small by less than anyone can write.
  return Math.min(Math.trunc(sum + 1e-9), MOST) * (text.startsWith('-') ? -1 : 1);
};

/** v1beta1 has durations such as `5m0s`, and v1beta2 has whole seconds. As in upstream, fractions are dropped. */
export const seconds: Codec = {
  toNew: (value) => (typeof value === 'string' && new RegExp(DURATION).test(value) ? secondsOf(value) : undefined),
  toOld: (value) => (typeof value === 'number' ? formatSeconds(value) : undefined),
};

const formatSeconds = (value: number): string => (value < 0 ? `-${formatDuration(-value)}` : formatDuration(value));
