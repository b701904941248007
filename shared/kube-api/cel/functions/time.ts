import { MAX_DURATION, readDuration } from '../../duration-text.ts';
import { quote } from '../../quote.ts';
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

/** As in Go, the hour may have one digit, the fraction may follow a comma, and an offset is at most `24:60`. */
const RFC3339 =
  /^(\d{4}-\d{2}-\d{2}T)(\d{1,2}:\d{2}:\d{2})(?:[.,](\d{1,9})\d*)?(Z|[+-](?:[01]\d|2[0-4]):(?:[0-5]\d|60))$/;

/** Minutes east of UTC. */
const offsetOf = (zone: string): number => {
  const [, sign, hours, minutes] = /^([+-])(\d{2}):(\d{2})$/.exec(zone) ?? [];
  const offset = Number(hours ?? 0) * 60 + Number(minutes ?? 0);
  return sign === '-' ? -offset : offset;
};

/** Parses a timestamp in RFC 3339 format. Throws CelError. */
export const parseTimestamp = (text: string): Timestamp => {
  const [, day = '', time = '', fraction = '', zone] = RFC3339.exec(text) ?? [];
  const seconds = `${day}${time.padStart(8, '0')}`;
  const local = Date.parse(`${seconds}Z`);
  const isDate = !Number.isNaN(local) && new Date(local).toISOString().startsWith(seconds);
  const offset = offsetOf(zone ?? 'Z');
  const ns = isDate ? BigInt(local - offset * 60_000) * 1_000_000n + BigInt(fraction.padEnd(9, '0')) : FIRST - 1n;
  if (ns < FIRST || ns > LAST) {
    throw new CelError("type conversion error from 'string' to 'google.protobuf.Timestamp'");
  }
  return new Timestamp(ns, offset);
};

/** Go's strconv.Atoi. Throws CelError. */
const wholeNumber = (text: string): number => {
  if (!/^[+-]?\d{1,15}$/.test(text)) throw new CelError(`strconv.Atoi: parsing ${quote(text)}: invalid syntax`);
  return Number(text);
};

/** JavaScript ignores the letter case of names. */
const isOtherCase = (zone: string, known: string): boolean =>
  /(?:^|\/)[a-z]/.test(zone) || (zone !== known && zone.toLowerCase() === known.toLowerCase());

/** Returns a date whose UTC fields are the local time in a named time zone. Throws CelError. */
const inNamedZone = (utc: number, zone: string): Date => {
  try {
    const units = { year: 'numeric', month: 'numeric', day: 'numeric', hour: 'numeric', minute: 'numeric' } as const;
    const format = new Intl.DateTimeFormat('en-US', { timeZone: zone, hourCycle: 'h23', ...units, second: 'numeric' });
    // JavaScript also accepts offsets without a colon.
    if (/^[+-]/.test(zone) || isOtherCase(zone, format.resolvedOptions().timeZone)) throw new RangeError(zone);
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
  const colon = zone.indexOf(':');
  if (colon < 0) return inNamedZone(utc, zone);
  const [hours, minutes] = [wholeNumber(zone.slice(0, colon)), wholeNumber(zone.slice(colon + 1))];
  const offset = hours * 60 + (zone.startsWith('-') ? -minutes : minutes);
  const date = new Date(utc + offset * 60_000);
  if (Number.isNaN(date.getTime())) throw new CelError('timestamp overflow');
  return date;
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
