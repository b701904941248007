import type { FieldValidation } from '../decode.ts';
import type { FieldError } from '../resource.ts';
import { badRequest, invalid } from '../status-error.ts';

/**
 * The parameters of a URL. A semicolon separates them like `&`, as in API Gateway. Go drops a parameter that contains
 * one, so a deletion could lose its selector and delete everything.
 */
export const queryOf = (url: string): URLSearchParams => new URLSearchParams(new URL(url).search.replaceAll(';', '&'));

/** Parses query parameters. A value that is not allowed causes a StatusError 422 that lists the allowed ones. */

/** The options of a request by verb; upstream names them in refusals. */
export type OptionsKind = 'CreateOptions' | 'UpdateOptions' | 'PatchOptions' | 'DeleteOptions';

/** The error for an option with a value that is not allowed. */
export const unsupported = (field: string, badValue: unknown, allowed: readonly string[]): FieldError => ({
  type: 'FieldValueNotSupported',
  field,
  badValue,
  detail: `supported values: ${allowed.map((value) => JSON.stringify(value)).join(', ')}`,
});

/** The refusal of a request because of its options. */
export const wrongOptions = (kind: OptionsKind, problems: readonly FieldError[]): Error =>
  invalid({ group: 'meta.k8s.io', kind }, '', problems);

export const readFlag = (query: URLSearchParams, name: string): boolean => {
  const value = query.get(name);
  // As in Go's conversion, `?watch` and `?watch=1` are true; clients in Python write `True` and `False`.
  return value !== null && value !== '0' && value.toLowerCase() !== 'false';
};

export const readCount = (query: URLSearchParams, name: string): number | undefined => {
  const value = query.get(name);
  if (value === null) return undefined;
  const isNumber = /^[+-]?\d+$/.test(value);
  // Upstream treats a negative value as absent.
  if (isNumber && Math.abs(Number(value)) < 2 ** 63) return Math.max(0, Number(value));
  const why = isNumber ? 'value out of range' : 'invalid syntax';
  throw badRequest(`strconv.ParseInt: parsing ${JSON.stringify(value)}: ${why}`);
};

export const readDryRun = (query: URLSearchParams, kind: OptionsKind): boolean =>
  isDryRun(query.getAll('dryRun'), kind);

export const isDryRun = (values: readonly string[], kind: OptionsKind): boolean => {
  const wrong = values.find((value) => value !== 'All');
  if (wrong !== undefined) throw wrongOptions(kind, [unsupported('dryRun', values, ['All'])]);
  return values.includes('All');
};

const FIELD_VALIDATIONS: readonly FieldValidation[] = ['Ignore', 'Strict', 'Warn'];

/** In the order of upstream's refusal, which also lists the empty value. */
const FIELD_VALIDATIONS_SHOWN = ['', 'Ignore', 'Strict', 'Warn'];

/** `Warn` if the client does not specify it, as in Kubernetes since 1.27. */
export const readFieldValidation = (query: URLSearchParams, kind: OptionsKind): FieldValidation => {
  const value = query.get('fieldValidation') || 'Warn';
  const known = FIELD_VALIDATIONS.find((allowed) => allowed === value);
  if (!known) throw wrongOptions(kind, [unsupported('fieldValidation', value, FIELD_VALIDATIONS_SHOWN)]);
  return known;
};
