import { readJsonPath } from './json-path.ts';
import { checkLabelValue, checkQualifiedName } from './names.ts';
import type { KubeObject } from './object.ts';
import type { ResourceDefinition } from './resource.ts';
import { badRequest } from './status-error.ts';

export type Match = (object: KubeObject) => boolean;

const SET_BASED = /^\s*([^\s=!,()]+)\s+(in|notin)\s*\(([^()]*)\)\s*(?:,|$)/;
const EQUALITY = /^\s*([^\s=!,()]+)\s*(==|=|!=)\s*([^\s=!,()]*)\s*(?:,|$)/;
const EXISTS = /^\s*(!?)\s*([^\s=!,()]+)\s*(?:,|$)/;

type Labels = Readonly<Record<string, string>>;

/** Reads a label selector (`a=b,c!=d,e in (f,g),h,!i`). Throws a StatusError 400 that names what cannot be read. */
export const parseLabelSelector = (selector: string): Match => {
  const tests: ((labels: Labels) => boolean)[] = [];
  let rest = selector;
  while (rest.trim() !== '') {
    const next = readRequirement(rest);
    if (!next)
      throw badRequest(`unable to parse requirement: found '${rest.trim()}' in the label selector "${selector}"`);
    tests.push(next.test);
    rest = rest.slice(next.length);
  }
  return ({ metadata }) => tests.every((test) => test(metadata.labels ?? {}));
};

const readRequirement = (text: string): { length: number; test: (labels: Labels) => boolean } | undefined => {
  const set = SET_BASED.exec(text);
  if (set)
    return requirement(
      set[0],
      set[1],
      set[2] === 'in',
      (set[3] ?? '').split(',').map((value) => value.trim()),
    );
  const equality = EQUALITY.exec(text);
  if (equality) return requirement(equality[0], equality[1], equality[2] !== '!=', [equality[3] ?? '']);
  const exists = EXISTS.exec(text);
  if (!exists) return undefined;
  const key = checkedKey(exists[2] ?? '');
  const wanted = exists[1] !== '!';
  return { length: exists[0].length, test: (labels) => Object.hasOwn(labels, key) === wanted };
};

const requirement = (matched: string, name: string | undefined, wanted: boolean, values: readonly string[]) => {
  const key = checkedKey(name ?? '');
  for (const value of values) {
    const [wrong] = checkLabelValue(value);
    if (wrong)
      throw badRequest(
        `unable to parse requirement: values[0][${key}]: Invalid value: ${JSON.stringify(value)}: ${wrong}`,
      );
  }
  // A label that is absent is "not in" every set of values.
  const test = (labels: Labels): boolean =>
    (Object.hasOwn(labels, key) && values.includes(labels[key] ?? '')) === wanted;
  return { length: matched.length, test };
};

const checkedKey = (key: string): string => {
  const [wrong] = checkQualifiedName(key);
  if (wrong) throw badRequest(`unable to parse requirement: key: Invalid value: ${JSON.stringify(key)}: ${wrong}`);
  return key;
};

export interface FieldSelector {
  match: Match;
  /** The name that the selector asks for, if it asks for one: the list is one object then. */
  name?: string;
  /** True where the outcome can change while an object lives, as it cannot for its name. */
  changing: boolean;
}

const FIELD_TERM = /^(.+?)(==|!=|=)(.*)$/;

/** Reads a field selector (`a.b=c,d!=e`) for the fields that the resource offers; StatusError 400 for others. */
export const parseFieldSelector = (resource: ResourceDefinition, selector: string): FieldSelector => {
  const terms = selector.split(/(?<!\\),/).filter((term) => term.trim() !== '');
  const parsed = terms.map((term) => {
    const [, field = '', operator = '', value = ''] = FIELD_TERM.exec(term.trim()) ?? [];
    if (field === '') throw badRequest(`invalid field selector: "${term}"; can't understand it`);
    if (!isSelectable(resource, field)) throw badRequest(`field label not supported: ${field}`);
    return { field, equal: operator !== '!=', value: value.replace(/\\(.)/g, '$1') };
  });
  return {
    match: (object) => parsed.every(({ field, equal, value }) => (fieldOf(object, field) === value) === equal),
    name: parsed.find(({ field, equal }) => field === 'metadata.name' && equal)?.value,
    changing: parsed.some(({ field }) => !ALWAYS_SELECTABLE.includes(field)),
  };
};

const ALWAYS_SELECTABLE = ['metadata.name', 'metadata.namespace'];

const isSelectable = ({ selectableFields = [] }: ResourceDefinition, field: string): boolean =>
  ALWAYS_SELECTABLE.includes(field) || selectableFields.some((path) => path.replace(/^\./, '') === field);

const fieldOf = (object: KubeObject, field: string): string => {
  const value = readJsonPath(`.${field}`, object);
  return value === undefined || value === null ? '' : String(value);
};
