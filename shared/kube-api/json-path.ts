import { isObject } from './json.ts';

/**
 * The part of kubectl's JSONPath that CustomResourceDefinitions use in printer columns, scale paths and selectable
 * fields: `.a.b`, `.a\.b`, `['a.b']`, `[0]`, `[-1]`, `[*]` and filters `[?(@.type=="Ready")]`
 * (https://kubernetes.io/docs/reference/kubectl/jsonpath/).
 */
export type JsonPath = (value: unknown) => unknown[];

type Step = (value: unknown) => unknown[];

const compiled = new Map<string, JsonPath>();

/** Compiles `path`, once for each path. Missing members give no results. Throws an Error for a path it cannot read. */
export const compileJsonPath = (path: string): JsonPath => {
  const known = compiled.get(path);
  if (known) return known;
  const steps = parseSteps(path);
  const run: JsonPath = (value) => steps.reduce<unknown[]>((values, step) => values.flatMap(step), [value]);
  compiled.set(path, run);
  return run;
};

/** The first result, or undefined. */
export const readJsonPath = (path: string, value: unknown): unknown => compileJsonPath(path)(value)[0];

const MEMBER = /^\.?((?:\\.|[^.[\]\\])+)/;
const BRACKET = /^\.?\[('(?:\\.|[^'\\])*'|"(?:\\.|[^"\\])*"|-?\d+|\*|\?\(.*?\))\]/;

const parseSteps = (path: string): Step[] => {
  const steps: Step[] = [];
  let rest = path.replace(/^\$/, '');
  while (rest !== '' && rest !== '.') {
    const bracket = BRACKET.exec(rest);
    const member = bracket ?? MEMBER.exec(rest);
    if (!member) throw new Error(`JSON path ${path}: cannot read ${rest}`);
    steps.push(bracket ? bracketStep(path, bracket[1] ?? '') : memberStep(withoutEscapes(member[1] ?? '')));
    rest = rest.slice(member[0].length);
  }
  return steps;
};

const withoutEscapes = (text: string): string => text.replace(/\\(.)/g, '$1');

const memberStep =
  (key: string): Step =>
  (value) =>
    isObject(value) && Object.hasOwn(value, key) ? [value[key]] : [];

const bracketStep = (path: string, inside: string): Step => {
  if (inside === '*') return (value) => (Array.isArray(value) ? value : isObject(value) ? Object.values(value) : []);
  if (inside.startsWith('?')) return filterStep(path, inside.slice(2, -1));
  if (/^-?\d+$/.test(inside)) return (value) => (Array.isArray(value) ? atIndex(value, Number(inside)) : []);
  return memberStep(withoutEscapes(inside.slice(1, -1)));
};

const atIndex = (list: unknown[], index: number): unknown[] => {
  const item = list.at(index);
  return item === undefined ? [] : [item];
};

const COMPARISON = /^\s*@((?:[^=!<>\s])*)\s*(?:(==|!=|<=|>=|<|>)\s*(.+?))?\s*$/;

const filterStep = (path: string, condition: string): Step => {
  const [matched, left = '', operator, right = ''] = COMPARISON.exec(condition) ?? [];
  if (matched === undefined) throw new Error(`JSON path ${path}: cannot read the filter ${condition}`);
  const read = compileJsonPath(left);
  if (operator === undefined) return (value) => itemsOf(value).filter((item) => read(item).length > 0);
  const wanted = parseLiteral(path, right);
  return (value) => itemsOf(value).filter((item) => read(item).some((found) => compare(found, operator, wanted)));
};

const itemsOf = (value: unknown): unknown[] => (Array.isArray(value) ? value : []);

const parseLiteral = (path: string, text: string): unknown => {
  if (/^'.*'$|^".*"$/.test(text)) return withoutEscapes(text.slice(1, -1));
  if (text === 'true' || text === 'false') return text === 'true';
  const number = Number(text);
  if (Number.isNaN(number)) throw new Error(`JSON path ${path}: cannot read the value ${text}`);
  return number;
};

const compare = (found: unknown, operator: string, wanted: unknown): boolean => {
  if (operator === '==') return found === wanted;
  if (operator === '!=') return found !== wanted;
  if (typeof found !== 'number' || typeof wanted !== 'number') return false;
  if (operator === '<') return found < wanted;
  if (operator === '<=') return found <= wanted;
  return operator === '>' ? found > wanted : found >= wanted;
};
