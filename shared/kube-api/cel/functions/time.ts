import { CelError, Duration, Timestamp } from '../value.ts';
import { type CelFunction, define } from './define.ts';

const UNITS: Readonly<Record<string, bigint>> = {
  h: 3_600_000_000_000n,
  m: 60_000_000_000n,
  s: 1_000_000_000n,
  ms: 1_000_000n,
  us: 1_000n,
  µs: 1_000n,
  ns: 1n,
};

const DURATION = /^[+-]?(?:(?:\d+\.?\d*|\.\d+)(?:h|ms|m|s|us|µs|ns))+$/;
const PART = /(\d*)(?:\.(\d*))?(h|ms|m|s|us|µs|ns)/g;

/** Go's time.ParseDuration. Throws CelError. */
export const parseDuration = (text: string): Duration => {
  if (text === '0' || text === '+0' || text === '-0') return new Duration(0n);
  if (!DURATION.test(text)) throw new CelError("type conversion error from 'string' to 'google.protobuf.Duration'");
  let total = 0n;
  for (const [, whole = '', fraction = '', unit = ''] of text.matchAll(PART)) {
    const size = UNITS[unit] ?? 0n;
    total += BigInt(whole || '0') * size;
    if (fraction) total += (BigInt(fraction) * size) / 10n ** BigInt(fraction.length);
  }
  return new Duration(text.startsWith('-') ? -total : total);
};

const RFC3339 = /^(\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2})(?:\.(\d{1,9})\d*)?(Z|[+-]\d{2}:\d{2})$/i;

/** A time in the format of RFC 3339. Throws CelError. */
export const parseTimestamp = (text: string): Timestamp => {
  const [, seconds, fraction = '', zone] = RFC3339.exec(text) ?? [];
  const ms = seconds === undefined ? Number.NaN : Date.parse(`${seconds}${zone}`);
  if (Number.isNaN(ms)) throw new CelError("type conversion error from 'string' to 'google.protobuf.Timestamp'");
  return new Timestamp(BigInt(ms) * 1_000_000n + BigInt(fraction.padEnd(9, '0')));
};

const dateOf = (time: Timestamp, zone: unknown): Date => {
  const utc = Number(time.ns / 1_000_000n);
  if (typeof zone !== 'string' || zone === 'UTC' || zone === '') return new Date(utc);
  const [, sign, hours, minutes] = /^([+-]?)(\d{2}):(\d{2})$/.exec(zone) ?? [];
  if (hours === undefined) throw new CelError(`unknown time zone ${zone}`);
  const offset = (Number(hours) * 60 + Number(minutes)) * 60_000;
  return new Date(utc + (sign === '-' ? -offset : offset));
};

const startOfYear = (date: Date): number => Date.UTC(date.getUTCFullYear(), 0, 1);
const DAY = 86_400_000;

const CLOCK: Readonly<Record<string, (date: Date) => number>> = {
  getFullYear: (date) => date.getUTCFullYear(),
  getMonth: (date) => date.getUTCMonth(),
  getDate: (date) => date.getUTCDate(),
  getDayOfMonth: (date) => date.getUTCDate() - 1,
  getDayOfWeek: (date) => date.getUTCDay(),
  getDayOfYear: (date) => Math.floor((date.getTime() - startOfYear(date)) / DAY),
  getHours: (date) => date.getUTCHours(),
  getMinutes: (date) => date.getUTCMinutes(),
  getSeconds: (date) => date.getUTCSeconds(),
  getMilliseconds: (date) => date.getUTCMilliseconds(),
};

const SPANS: Readonly<Record<string, bigint>> = {
  getHours: UNITS.h ?? 1n,
  getMinutes: UNITS.m ?? 1n,
  getSeconds: UNITS.s ?? 1n,
  getMilliseconds: UNITS.ms ?? 1n,
};

/** The parts of times and durations. The parser's library declares their types. Named time zones are not known. */
export const timeFunctions: readonly CelFunction[] = Object.entries(CLOCK).map(([name, read]) =>
  define(`.${name}`, [], (time, zone) => {
    const unit = SPANS[name];
    if (time instanceof Duration && unit !== undefined) return time.ns / unit;
    return time instanceof Timestamp ? BigInt(read(dateOf(time, zone))) : undefined;
  }),
);
