import { quote } from './quote.ts';
import type { FieldError, FieldErrorType } from './resource.ts';

/** One entry of `details.causes`; kubectl prints `field: message` from these and from nothing else. */
export interface StatusCause {
  reason: string;
  message: string;
  field?: string;
}

/** The API server's wording of each class of field error (k8s.io/apimachinery/pkg/util/validation/field). */
const WORDS: Readonly<Record<FieldErrorType, string>> = {
  FieldValueNotFound: 'Not found',
  FieldValueRequired: 'Required value',
  FieldValueDuplicate: 'Duplicate value',
  FieldValueInvalid: 'Invalid value',
  FieldValueNotSupported: 'Unsupported value',
  FieldValueForbidden: 'Forbidden',
  FieldValueTooLong: 'Too long',
  FieldValueTooMany: 'Too many',
  FieldValueTypeInvalid: 'Invalid value',
  InternalError: 'Internal error',
};

/** Classes that never show the refused value. */
const SILENT: ReadonlySet<FieldErrorType> = new Set([
  'FieldValueRequired',
  'FieldValueForbidden',
  'FieldValueTooLong',
  'InternalError',
]);

/** `Invalid value: "abc": must be …`, the part of the message after the field path. */
export const describeFieldError = ({ type, detail, badValue }: FieldError): string => {
  const shown = SILENT.has(type) || badValue === undefined ? [] : [showValue(badValue)];
  return [WORDS[type], ...shown, ...(detail === '' ? [] : [detail])].join(': ');
};

/** Go escapes these characters, so that its JSON can be embedded in HTML. */
const escaped = (json: string): string =>
  json.replace(/[<>&\u2028\u2029]/g, (letter) => `\\u${letter.charCodeAt(0).toString(16).padStart(4, '0')}`);

const showValue = (value: unknown): string =>
  typeof value === 'string' ? quote(value) : escaped(JSON.stringify(value));

export const formatCauses = (errors: readonly FieldError[]): StatusCause[] =>
  errors.map((error) => ({ reason: error.type, message: describeFieldError(error), field: error.field }));

/** The errors as one sentence: bare when there is one, in brackets when there are several; equal lines once. */
export const summarize = (errors: readonly FieldError[]): string => {
  const lines = [...new Set(errors.map((error) => `${error.field}: ${describeFieldError(error)}`))];
  return lines.length === 1 ? String(lines[0]) : `[${lines.join(', ')}]`;
};

export const invalidValue = (field: string, badValue: unknown, detail: string): FieldError => ({
  type: 'FieldValueInvalid',
  field,
  detail,
  badValue,
});

export const required = (field: string, detail = ''): FieldError => ({ type: 'FieldValueRequired', field, detail });

export const forbiddenField = (field: string, detail: string): FieldError => ({
  type: 'FieldValueForbidden',
  field,
  detail,
});
