import * as z from 'zod';

/**
 * The vocabulary of all kinds' schemas: zod schemas with the parts of OpenAPI that go beyond JSON Schema
 * (`x-kubernetes-*`, formats). `open-api.ts` converts them to the structural schemas that the server publishes.
 */

interface Bounds {
  min?: number;
  max?: number;
}

/**
 * A string of `min` to `max` characters that matches `pattern` (Go and JavaScript agree on all patterns that are used
 * here).
 */
export const text = (min: number, max: number, pattern?: string) => {
  // All checks are added together, because each call copies the schema, and a cold start creates hundreds of text
  // fields.
  const bounds = min === 0 ? [z.maxLength(max)] : [z.minLength(min), z.maxLength(max)];
  if (pattern === undefined) return z.string().check(...bounds);
  // A RegExp escapes slashes by itself; errors show the pattern in upstream's spelling.
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

/** Any JSON value, stored unchanged. */
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

/** A list whose items are identified by the fields in `keys`, so that each item can have a different owner. */
export const keyedList = <T extends z.ZodType>(keys: string[], item: T, bounds: Bounds = {}) =>
  array(item, bounds).meta({ 'x-kubernetes-list-type': 'map', 'x-kubernetes-list-map-keys': keys });

/** An object with required and optional fields. */
export const struct = <R extends z.ZodRawShape, O extends z.ZodRawShape>(required: R, optional: O) =>
  z.object({ ...required, ...z.object(optional).partial().shape });

/** An object of optional fields. */
export const options = <O extends z.ZodRawShape>(optional: O) => z.object(optional).partial();

/**
 * An object of optional fields that upstream refuses if it is empty (`MinProperties=1`): the complete object must be
 * omitted instead.
 */
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
