import type { Duration, Timestamp } from '../value.ts';

/** A double as Go's strconv prints it with `%g` and the fewest digits: `1e+06`, `2.5`, `4`. */
export const printDouble = (value: number): string => {
  if (Number.isNaN(value)) return 'NaN';
  if (!Number.isFinite(value)) return value > 0 ? '+Inf' : '-Inf';
  const [digits = '', exponent = '0'] = value.toExponential().split('e');
  const power = Number(exponent);
  if (power >= -4 && power < 6) return String(value);
  return `${digits}e${power < 0 ? '-' : '+'}${String(Math.abs(power)).padStart(2, '0')}`;
};

const seconds = (ns: bigint): string => {
  const fraction = String(ns % 1_000_000_000n)
    .padStart(9, '0')
    .replace(/0+$/, '');
  return `${ns / 1_000_000_000n}${fraction === '' ? '' : `.${fraction}`}`;
};

/** A duration in seconds: `5400s`, `0.25s`. */
export const printDuration = ({ ns }: Duration): string => `${ns < 0n ? '-' : ''}${seconds(ns < 0n ? -ns : ns)}s`;

/** A time in the format of RFC 3339, in UTC and without the zeros at the end of a fraction. */
export const printTimestamp = ({ ns }: Timestamp): string => {
  const second = ns >= 0n ? ns / 1_000_000_000n : -((-ns + 999_999_999n) / 1_000_000_000n);
  const fraction = String(ns - second * 1_000_000_000n)
    .padStart(9, '0')
    .replace(/0+$/, '');
  const text = new Date(Number(second) * 1000).toISOString().slice(0, 19);
  return `${text}${fraction === '' ? '' : `.${fraction}`}Z`;
};
