import { isObject, type JsonObject, withoutUndefined } from '../json.ts';
import type { OpenApiSchema } from '../resource.ts';
import { isTime } from './validate-scalar.ts';

/** Times in typed objects, as Go reads and writes them (metav1.Time and metav1.MicroTime). */

/** Fields of type MicroTime, for which Go requires six decimals. */
const MICRO_TIMES = ['acquireTime', 'renewTime', 'eventTime', 'lastObservedTime'];

const UNREADABLE_TIME = 'parsing time: it is not in the form of RFC 3339';

/** Reports whether the message is about a time. Earlier versions stored some times that Go cannot decode. */
export const isAboutTime = (undecodable: string): boolean => undecodable.startsWith(UNREADABLE_TIME);

/** The message of Go's decoder if it could not decode the value of the field, or undefined. */
export const faultOfTime = (value: string, field: string): string | undefined => {
  if (!isTime(value) || /[tz]/.test(value)) return UNREADABLE_TIME;
  const isPrecise = !MICRO_TIMES.includes(field) || /\.\d{6}(Z|[+-])/.test(value);
  return isPrecise ? undefined : `${UNREADABLE_TIME} with six digits after the seconds`;
};

/**
 * The value with its times as Go writes them: in UTC, with the precision of their type. A copy, or the same value if
 * nothing changes.
 */
export const withGoTimes = (schema: OpenApiSchema, value: unknown, field = ''): unknown => {
  if (typeof value === 'string') return schema.format === 'date-time' ? goTime(value, field) : value;
  if (Array.isArray(value)) return ofList(schema.items, value);
  return isObject(value) ? ofObject(schema, value) : value;
};

const ofList = (items: OpenApiSchema | undefined, list: readonly unknown[]): readonly unknown[] => {
  if (!items) return list;
  const changed = list.map((item) => withGoTimes(items, item));
  return changed.some((item, index) => item !== list[index]) ? changed : list;
};

const ofObject = ({ properties = {} }: OpenApiSchema, object: JsonObject): JsonObject => {
  const changed = Object.entries(properties).flatMap(([key, schema]) => {
    const member = Object.hasOwn(object, key) ? object[key] : undefined;
    const written = withGoTimes(schema, member, key);
    return written === member ? [] : [[key, written === null && !schema.nullable ? undefined : written] as const];
  });
  return changed.length > 0 ? withoutUndefined({ ...object, ...Object.fromEntries(changed) }) : object;
};

/** Go's zero time, which it writes as null. */
const ZERO = '0001-01-01T00:00:00';

/** A time that Go cannot read or write stays as it is. */
const goTime = (value: string, field: string): string | null => {
  if (faultOfTime(value, field) !== undefined) return value;
  const [, fraction = ''] = /\.(\d+)/.exec(value) ?? [];
  // A Date has milliseconds only.
  const seconds = new Date(value.replace(/\.\d+/, '')).toISOString().slice(0, -'.000Z'.length);
  if (seconds.length > ZERO.length) return value;
  if (seconds === ZERO && Number(fraction) === 0) return null;
  return MICRO_TIMES.includes(field) ? `${seconds}.${fraction}Z` : `${seconds}Z`;
};
