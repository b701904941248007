import * as z from 'zod';

/**
 * The vocabulary that the schemas of all kinds are written in: zod schemas that carry what OpenAPI says beyond JSON
 * Schema (`x-kubernetes-*`, formats). `open-api.ts` turns them into the structural schemas that the server publishes.
 */

interface Bounds {
  min?: number;
  max?: number;
}

/** A string of `min` to `max` characters, matching `pattern` (Go and JavaScript agree on all that are used here). */
export const text = (min: number, max: number, pattern?: string) => {
  // All checks together: each call copies the schema, and there are hundreds of text fields at a cold start.
  const bounds = min === 0 ? [z.maxLength(max)] : [z.minLength(min), z.maxLength(max)];
  if (pattern === undefined) return z.string().check(...bounds);
  // A RegExp escapes slashes by itself; errors show the pattern as upstream spells it.
  return z
    .string()
    .check(...bounds, z.regex(new RegExp(pattern)))
    .meta({ pattern });
};

/** A string without rules. */
export const anyText = z.string();

export const flag = z.boolean();

const integer = (format: 'int32' | 'int64', { min, max }: Bounds) => {
  const lower = min === undefined ? z.int() : z.int().min(min);
  return (max === undefined ? lower : lower.max(max)).meta({ format });
};

export const int32 = (bounds: Bounds = {}) => integer('int32', bounds);

export const int64 = (bounds: Bounds = {}) => integer('int64', bounds);

/** metav1.Time: RFC 3339, whole seconds. */
export const time = z.string().meta({ format: 'date-time' });

/** metav1.MicroTime: RFC 3339 with microseconds. */
export const microTime = z.string().meta({ format: 'date-time' });

/** intstr.IntOrString: a count or a percentage such as `25%`. */
export const intOrString = z.union([z.int(), z.string()]).meta({ 'x-kubernetes-int-or-string': true });

/** Any JSON value, kept as it came. */
export const anyJson = z.unknown().meta({ 'x-kubernetes-preserve-unknown-fields': true });

/** Base64 text: Go's []byte. */
export const bytes = z.string().meta({ format: 'byte' });

/** map[string]T. */
export const mapOf = <T extends z.ZodType>(value: T) => z.record(z.string(), value);

export const textMap = mapOf(anyText);

const array = <T extends z.ZodType>(item: T, { min, max }: Bounds) => {
  const lower = min === undefined ? z.array(item) : z.array(item).min(min);
  return max === undefined ? lower : lower.max(max);
};

/** A list that one writer owns as a whole. */
export const list = <T extends z.ZodType>(item: T, bounds: Bounds = {}) =>
  array(item, bounds).meta({ 'x-kubernetes-list-type': 'atomic' });

/** A list whose items are identified by the fields in `keys`, so that several writers can own one item each. */
export const keyedList = <T extends z.ZodType>(keys: string[], item: T, bounds: Bounds = {}) =>
  array(item, bounds).meta({ 'x-kubernetes-list-type': 'map', 'x-kubernetes-list-map-keys': keys });

/** An object: the fields that must be there, and those that may. */
export const struct = <R extends z.ZodRawShape, O extends z.ZodRawShape>(required: R, optional: O) =>
  z.object({ ...required, ...z.object(optional).partial().shape });

/** An object of optional fields. */
export const options = <O extends z.ZodRawShape>(optional: O) => z.object(optional).partial();

/** An object of optional fields that upstream refuses empty (`MinProperties=1`): leave the whole object out instead. */
export const someOf = <O extends z.ZodRawShape>(optional: O) => z.object(optional).partial().meta({ minProperties: 1 });

/** core/v1 ObjectReference. */
export const objectReference = options({
  apiVersion: anyText,
  kind: anyText,
  namespace: anyText,
  name: anyText,
  uid: anyText,
  resourceVersion: anyText,
  fieldPath: anyText,
}).meta({ 'x-kubernetes-map-type': 'atomic' });
