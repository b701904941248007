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

/** More errors are only counted, and their texts are cut: each may quote a value of hundreds of kilobytes. */
const MOST_ERRORS = 100;
const MOST_CHARACTERS = 2_000;

const cut = (text: string): string => (text.length > MOST_CHARACTERS ? `${text.slice(0, MOST_CHARACTERS)}…` : text);

/** A string is cut before it is quoted, because thousands of errors may refer to the same one. */
const withShortValue = (error: FieldError): FieldError =>
  typeof error.badValue === 'string' ? { ...error, badValue: cut(error.badValue) } : error;

const describeOneOf = (errors: readonly FieldError[], error: FieldError): string =>
  errors.length === 1 ? describeFieldError(error) : cut(describeFieldError(withShortValue(error)));

/** One cause for each error, at most 100. */
export const formatCauses = (errors: readonly FieldError[]): StatusCause[] =>
  errors
    .slice(0, MOST_ERRORS)
    .map((error) => ({ reason: error.type, message: describeOneOf(errors, error), field: error.field }));

/**
 * The errors as one sentence: bare when there is one, in brackets when there are several; equal lines once, and at most
 * 100 of them.
 */
export const summarize = (errors: readonly FieldError[]): string => {
  const shown = errors.slice(0, MOST_ERRORS);
  const lines = [...new Set(shown.map((error) => `${error.field}: ${describeOneOf(errors, error)}`))];
  const more = errors.length > shown.length ? [`and ${errors.length - shown.length} more`] : [];
  return lines.length + more.length === 1 ? String(lines[0]) : `[${[...lines, ...more].join(', ')}]`;
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
