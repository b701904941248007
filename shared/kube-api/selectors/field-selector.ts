import { readJsonPath } from '../json-path.ts';
import type { KubeObject } from '../object.ts';
import type { ResourceDefinition } from '../resource.ts';
import { badRequest } from '../status-error.ts';
import type { Match } from './label-selector.ts';

export interface FieldSelector {
  match: Match;
  /** The name that the selector requires, if any; then the list has at most one object. */
  name?: string;
  /** True if an object can start or stop matching while it exists; its name and namespace never change. */
  changing: boolean;
}

export interface Term {
  field: string;
  equal: boolean;
  value: string;
}

const METADATA = ['metadata.name', 'metadata.namespace'];

/**
 * Parses a field selector (`a.b=c,d!=e`). Throws a StatusError 400 if it is invalid or the resource does not support a
 * field.
 */
export const parseFieldSelector = (resource: ResourceDefinition, selector: string): FieldSelector => {
  const parsed = parseFieldTerms(selector);
  for (const { field } of parsed) requireSelectable(resource, field);
  const read = readerOf(resource);
  return {
    match: (object) => parsed.every(({ field, equal, value }) => (read(object, field) === value) === equal),
    name: parsed.find(({ field, equal }) => field === 'metadata.name' && equal)?.value,
    changing: parsed.some(({ field }) => !METADATA.includes(field)),
  };
};

/** Parses a field selector with any fields. Throws a StatusError 400. */
export const parseFieldTerms = (selector: string): Term[] => {
  const terms = splitTerms(selector).map((text) => readTerm(selector, text));
  // As upstream, a term without field and value selects everything.
  return terms.filter(({ field, value }) => field !== '' || value !== '');
};

const splitTerms = (selector: string): string[] =>
  (selector.match(/(?:\\[\s\S]|[^,\\]|\\$)+/g) ?? []).filter((term) => term !== '');

const TERM = /^((?:\\[\s\S]|[^\\=!]|!(?!=))*)(==|!=|=)([\s\S]*)$/;

const readTerm = (selector: string, text: string): Term => {
  const [, field, operator, value = ''] = TERM.exec(text) ?? [];
  if (field === undefined) throw badRequest(`invalid selector: '${selector}'; can't understand '${text}'`);
  return { field, equal: operator !== '!=', value: withoutEscapes(value) };
};

const withoutEscapes = (value: string): string =>
  value.replace(/\\([\s\S]?)|[,=]/gu, (sequence, escaped: string | undefined) => {
    if (escaped === undefined) {
      throw badRequest(`invalid field selector: unescaped character in value: ${sequence.codePointAt(0)}`);
    }
    if (['\\', ',', '='].includes(escaped)) return escaped;
    throw badRequest(`invalid field selector: invalid escape sequence: ${sequence}`);
  });

/**
 * Built-in kinds without selectable fields have a different error message, and also support metadata.namespace if they
 * are cluster-scoped.
 */
const requireSelectable = (resource: ResourceDefinition, field: string): void => {
  const { builtIn, namespaced, selectableFields = [], selectableValues = {} } = resource;
  const isPlain = builtIn && selectableFields.length === 0;
  const always = isPlain || namespaced ? METADATA : ['metadata.name'];
  const own = selectableFields.map((path) => path.replace(/^\./, ''));
  if (always.includes(field) || own.includes(field) || Object.hasOwn(selectableValues, field)) return;
  if (!isPlain) throw badRequest(`field label not supported: ${field}`);
  const known = METADATA.map((name) => JSON.stringify(name)).join(', ');
  throw badRequest(`${JSON.stringify(field)} is not a known field selector: only ${known}`);
};

const readerOf =
  ({ selectableValues = {} }: ResourceDefinition) =>
  (object: KubeObject, field: string): string => {
    const value = Object.hasOwn(selectableValues, field)
      ? selectableValues[field]?.(object)
      : readJsonPath(`.${field}`, object);
    return value === undefined || value === null ? '' : String(value);
  };
