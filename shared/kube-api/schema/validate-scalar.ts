import { isDeepStrictEqual } from 'node:util';
import { codePoints } from '../code-points.ts';
import { invalidValue } from '../field-error.ts';
import type { FieldError, OpenApiSchema } from '../resource.ts';

const INT32 = { minimum: -(2 ** 31), maximum: 2 ** 31 - 1 };

export const validateNumber = (schema: OpenApiSchema, value: number, path: string): FieldError[] => {
  const { minimum, maximum, exclusiveMinimum, exclusiveMaximum, format, multipleOf } = schema;
  if (format === 'int32' && (value < INT32.minimum || value > INT32.maximum)) {
    return [invalidValue(path, value, `${path} in body must be of type int32: ${JSON.stringify(String(value))}`)];
  }
  const errors: FieldError[] = [];
  if (minimum !== undefined && (exclusiveMinimum ? value <= minimum : value < minimum)) {
    const least = `${exclusiveMinimum ? '' : 'or equal to '}${minimum}`;
    errors.push(invalidValue(path, value, `${path} in body should be greater than ${least}`));
  }
  if (maximum !== undefined && (exclusiveMaximum ? value >= maximum : value > maximum)) {
    const most = `${exclusiveMaximum ? '' : 'or equal to '}${maximum}`;
    errors.push(invalidValue(path, value, `${path} in body should be less than ${most}`));
  }
  return [...errors, ...validateMultiple(multipleOf, value, path)];
};

const validateMultiple = (of: number | undefined, value: number, path: string): FieldError[] =>
  of === undefined || Number.isInteger(value / of)
    ? []
    : [invalidValue(path, value, `${path} in body should be a multiple of ${of}`)];

/** Checks strings by the patterns and formats of a schema. */
export interface ScalarRules {
  matches(pattern: string, text: string): boolean;
  hasFormat(format: string, text: string): boolean;
  /** The number of code points. */
  lengthOf(text: string): number;
  isEqual(value: unknown, old: unknown): boolean;
  /** Counts what a validation visits. May end the validation with an error. */
  visit(members: number): void;
}

/** The first violation of the length limits and the pattern; upstream stops there. */
const brokenRule = (
  { minLength, maxLength, pattern }: OpenApiSchema,
  value: string,
  path: string,
  { matches, lengthOf }: ScalarRules,
): FieldError | undefined => {
  const length = minLength === undefined && maxLength === undefined ? 0 : lengthOf(value);
  if (maxLength !== undefined && length > maxLength) {
    const detail = `may not be more than ${maxLength} ${maxLength === 1 ? 'byte' : 'bytes'}`;
    return { type: 'FieldValueTooLong', field: path, detail };
  }
  if (minLength !== undefined && length < minLength) {
    return invalidValue(path, value, `${path} in body should be at least ${minLength} chars long`);
  }
  if (pattern === undefined || matches(pattern, value)) return undefined;
  return invalidValue(path, value, `${path} in body should match '${pattern}'`);
};

export const validateString = (
  schema: OpenApiSchema,
  value: string,
  path: string,
  scalars: ScalarRules,
): FieldError[] => {
  const { format } = schema;
  const broken = brokenRule(schema, value, path, scalars);
  const errors = broken ? [broken] : [];
  if (format === undefined || scalars.hasFormat(format, value)) return errors;
  const detail = `${path} in body must be of type ${format}: ${JSON.stringify(value)}`;
  return [...errors, { type: 'FieldValueTypeInvalid', field: path, badValue: value, detail }];
};

const patterns = new Map<string, RegExp>();

/** Patterns come from schemas in the code, so each is compiled once and kept. */
const compiled = (pattern: string): RegExp => {
  const known = patterns.get(pattern) ?? new RegExp(pattern);
  patterns.set(pattern, known);
  return known;
};

const RFC3339 = /^(\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2})(\.\d+)?(Z|[+-]\d{2}:\d{2})$/i;

/** JavaScript accepts a day that its month does not have, and turns it into one of the next month. */
const isOfCalendar = (seconds: string): boolean => new Date(`${seconds}Z`).toISOString().startsWith(seconds);

export const isTime = (value: string): boolean => {
  const [, seconds] = RFC3339.exec(value) ?? [];
  return seconds !== undefined && !Number.isNaN(Date.parse(value)) && isOfCalendar(seconds.toUpperCase());
};

/** Checks the known formats; as upstream, other formats are only descriptions. */
const hasOwnFormat = (format: string, value: string): boolean => {
  if (format === 'date-time') return isTime(value);
  return format !== 'byte' || isBase64(value);
};

/** For schemas in the code, whose patterns are JavaScript's and known to be fast. */
export const ownScalars: ScalarRules = {
  matches: (pattern, text) => compiled(pattern).test(text),
  hasFormat: hasOwnFormat,
  lengthOf: codePoints,
  isEqual: isDeepStrictEqual,
  visit: () => undefined,
};

const isBase64 = (value: string): boolean => value.length % 4 === 0 && /^[A-Za-z0-9+/]*={0,2}$/.test(value);
