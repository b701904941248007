import type { FieldValidation } from '../decode.ts';
import { invalid } from '../status-error.ts';

/** Reading of query parameters; a value that is not one of the allowed ones is a StatusError 422 that says which are. */

const unsupported = (name: string, badValue: string, allowed: readonly string[]): Error =>
  invalid({ group: 'meta.k8s.io', kind: 'Options' }, '', [
    {
      type: 'FieldValueNotSupported',
      field: name,
      badValue,
      detail: `supported values: ${allowed.map((value) => JSON.stringify(value)).join(', ')}`,
    },
  ]);

export const readFlag = (query: URLSearchParams, name: string): boolean => {
  const value = query.get(name);
  // `?watch` and `?watch=1` count, as Go's conversion has it.
  return value !== null && value !== 'false' && value !== '0';
};

export const readCount = (query: URLSearchParams, name: string): number | undefined => {
  const value = query.get(name);
  if (value === null || value === '') return undefined;
  if (/^\d{1,15}$/.test(value)) return Number(value);
  throw invalid({ group: 'meta.k8s.io', kind: 'Options' }, '', [
    { type: 'FieldValueInvalid', field: name, badValue: value, detail: 'must be a non-negative integer' },
  ]);
};

export const readDryRun = (query: URLSearchParams): boolean => isDryRun(query.getAll('dryRun'));

export const isDryRun = (values: readonly string[]): boolean => {
  const wrong = values.find((value) => value !== 'All' && value !== '');
  if (wrong !== undefined) throw unsupported('dryRun', wrong, ['All']);
  return values.includes('All');
};

const FIELD_VALIDATIONS: readonly FieldValidation[] = ['Ignore', 'Strict', 'Warn'];

/** `Warn` where the client does not say, as since Kubernetes 1.27. */
export const readFieldValidation = (query: URLSearchParams): FieldValidation => {
  const value = query.get('fieldValidation') || 'Warn';
  const known = FIELD_VALIDATIONS.find((allowed) => allowed === value);
  if (!known) throw unsupported('fieldValidation', value, FIELD_VALIDATIONS);
  return known;
};

export const readPolicy = (value: unknown): 'Orphan' | 'Background' | 'Foreground' | undefined => {
  if (value === undefined || value === null || value === '') return undefined;
  if (value === 'Orphan' || value === 'Background' || value === 'Foreground') return value;
  throw unsupported('propagationPolicy', String(value), ['Foreground', 'Background', 'Orphan']);
};
