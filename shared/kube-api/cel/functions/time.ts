import { MAX_DURATION, readDuration } from '../../duration-text.ts';
import { CelError, Duration, Timestamp } from '../value.ts';
import { type CelFunction, define } from './define.ts';

/** Throws CelError if a duration is out of range. */
export const durationInRange = (ns: bigint): Duration => {
  if (ns > MAX_DURATION || ns < -MAX_DURATION - 1n) throw new CelError('duration overflow');
  return new Duration(ns);
};

/** The range of timestamps: the first nanosecond of the year 1 to the last nanosecond of the year 9999. */
const FIRST = -62_135_596_800n * 1_000_000_000n;
const LAST = 253_402_300_799n * 1_000_000_000n + 999_999_999n;

/** Throws CelError if a timestamp is out of range. */
export const timestampInRange = (ns: bigint, offset = 0): Timestamp => {
  if (ns < FIRST || ns > LAST) throw new CelError('timestamp overflow');
  return new Timestamp(ns, offset);
};

/** Parses a duration like Go's time.ParseDuration. Throws CelError. */
export const parseDuration = (text: string): Duration => {
  const ns = readDuration(text);
  if (ns === undefined) throw new CelError("type conversion error from 'string' to 'google.protobuf.Duration'");
  return new Duration(ns);
};

const RFC3339 = /^(\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2})(?:\.(\d{1,9})\d*)?(Z|[+-]\d{2}:\d{2})$/;

/** Minutes east of UTC. */
const offsetOf = (zone: string): number => {
  const [, sign, hours, minutes] = /^([+-])(\d{2}):(\d{2})$/.exec(zone) ?? [];
  const offset = Number(hours ?? 0) * 60 + Number(minutes ?? 0);
  return sign === '-' ? -offset : offset;
};

/** Parses a timestamp in RFC 3339 format. Throws CelError. */
export const parseTimestamp = (text: string): Timestamp => {
  const [, seconds, fraction = '', zone] = RFC3339.exec(text) ?? [];
  const local = seconds === undefined ? Number.NaN : Date.parse(`${seconds}Z`);
  const isDate = !Number.isNaN(local) && new Date(local).toISOString().startsWith(seconds ?? '-');
  const offset = offsetOf(zone ?? 'Z');
  const ns = isDate ? BigInt(local - offset * 60_000) * 1_000_000n + BigInt(fraction.padEnd(9, '0')) : FIRST - 1n;
  if (ns < FIRST || ns > LAST) {
    throw new CelError("type conversion error from 'string' to 'google.protobuf.Timestamp'");
  }
  return new Timestamp(ns, offset);
};

/** Returns a date whose UTC fields are the local time in a named time zone. Throws CelError. */
const inNamedZone = (utc: number, zone: string): Date => {
  const [, bad] = /^([^:]*):/.exec(zone) ?? [];
  if (bad !== undefined) throw new CelError(`strconv.Atoi: parsing ${JSON.stringify(bad)}: invalid syntax`);
  try {
    const units = { year: 'numeric', month: 'numeric', day: 'numeric', hour: 'numeric', minute: 'numeric' } as const;
    const format = new Intl.DateTimeFormat('en-US', { timeZone: zone, hourCycle: 'h23', ...units, second: 'numeric' });
    const parts = new Map(format.formatToParts(utc).map(({ type, value }) => [type, Number(value)]));
    const at = (type: Intl.DateTimeFormatPartTypes): number => parts.get(type) ?? 0;
    const [day, time] = [
      [at('year'), at('month') - 1, at('day')],
      [at('hour'), at('minute'), at('second'), new Date(utc).getUTCMilliseconds()],
    ] as const;
    return new Date(Date.UTC(...day, ...time));
  } catch (error) {
    if (!(error instanceof RangeError)) throw error;
    throw new CelError(`unknown time zone ${zone}`);
  }
};

const dateOf = (time: Timestamp, zone: unknown): Date => {
  const utc = Number(time.ns / 1_000_000n);
  if (typeof zone !== 'string' || zone === 'UTC' || zone === '') return new Date(utc);
  const [, sign, hours, minutes] = /^([+-]?)(\d{2}):(\d{2})$/.exec(zone) ?? [];
  if (hours === undefined) return inNamedZone(utc, zone);
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
  getHours: 3_600_000_000_000n,
  getMinutes: 60_000_000_000n,
  getSeconds: 1_000_000_000n,
  getMilliseconds: 1_000_000n,
};

/** Getters for the parts of timestamps and durations. */
export const timeFunctions: readonly CelFunction[] = Object.entries(CLOCK).map(([name, read]) =>
  define(`.${name}`, (time, zone) => {
    const unit = SPANS[name];
    if (time instanceof Duration && unit !== undefined) return time.ns / unit;
    return time instanceof Timestamp ? BigInt(read(dateOf(time, zone))) : undefined;
  }),
);
