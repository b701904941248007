import { isObject } from './json.ts';

/**
 * The part of kubectl's JSONPath that CustomResourceDefinitions use in printer columns, scale paths and selectable
 * fields: `.a.b`, `.a\.b`, `.a.*`, `..b`, `['a.b']`, `['a','b']`, `[0]`, `[-1]`, `[0:2]`, `[*]` and filters
 * `[?(@.type=="Ready")]`
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
const ITEM = /'(?:\\.|[^'\\])*'|"(?:\\.|[^"\\])*"|-?\d*:-?\d*(?::\d*)?|-?\d+|\*/;
const BRACKET = new RegExp(`^\\.?\\[((?:${ITEM.source})(?:\\s*,\\s*(?:${ITEM.source}))*|\\?\\(.*?\\))\\]`);

const parseSteps = (path: string): Step[] => {
  const steps: Step[] = [];
  let rest = path.replace(/^\$/, '');
  while (rest !== '' && rest !== '.') {
    if (rest.startsWith('..')) {
      steps.push(containers);
      rest = rest.slice(2);
      continue;
    }
    const bracket = BRACKET.exec(rest);
    const member = bracket ?? MEMBER.exec(rest);
    if (!member) throw new Error(`JSON path ${path}: cannot read ${rest}`);
    steps.push(bracket ? bracketStep(path, bracket[1] ?? '') : memberStep(member[1] ?? ''));
    rest = rest.slice(member[0].length);
  }
  return steps;
};

const withoutEscapes = (text: string): string => text.replace(/\\(.)/g, '$1');

const childrenOf: Step = (value) => {
  if (Array.isArray(value)) return value;
  return isObject(value) ? Object.values(value) : [];
};

/** The value and all that is in it, if it has parts. */
const containers: Step = (value) => {
  const children = childrenOf(value);
  return children.length === 0 ? [] : [value, ...children.flatMap(containers)];
};

const keyStep =
  (key: string): Step =>
  (value) =>
    isObject(value) && Object.hasOwn(value, key) ? [value[key]] : [];

const memberStep = (text: string): Step => (text === '*' ? childrenOf : keyStep(withoutEscapes(text)));

const bracketStep = (path: string, inside: string): Step => {
  if (inside.startsWith('?')) return filterStep(path, inside.slice(2, -1));
  const steps = [...inside.matchAll(new RegExp(ITEM, 'g'))].map(([item]) => itemStep(item));
  return (value) => steps.flatMap((step) => step(value));
};

const itemStep = (item: string): Step => {
  if (item === '*') return childrenOf;
  if (/^['"]/.test(item)) return keyStep(withoutEscapes(item.slice(1, -1)));
  if (item.includes(':')) return sliceStep(item);
  return (value) => (Array.isArray(value) ? atIndex(value, Number(item)) : []);
};

const atIndex = (list: unknown[], index: number): unknown[] => {
  const item = list.at(index);
  return item === undefined ? [] : [item];
};

/** `[from:to:step]`. As in kubectl, bounds outside of the list give nothing. */
const sliceStep = (text: string): Step => {
  const [from = '', to = '', by = ''] = text.split(':');
  const step = by === '' ? 1 : Number(by);
  return (value) => {
    if (!Array.isArray(value) || step === 0) return [];
    const boundOf = (bound: string, otherwise: number): number => {
      if (bound === '') return otherwise;
      return Number(bound) < 0 ? Number(bound) + value.length : Number(bound);
    };
    const [start, end] = [boundOf(from, 0), boundOf(to, value.length)];
    if (start < 0 || end > value.length) return [];
    return value.slice(start, Math.max(start, end)).filter((_, index) => index % step === 0);
  };
};

const COMPARISON = /^\s*@((?:[^=!<>\s])*)\s*(?:(==|!=|<=|>=|<|>)\s*(.+?))?\s*$/;

const filterStep = (path: string, condition: string): Step => {
  const [matched, left = '', operator, right = ''] = COMPARISON.exec(condition) ?? [];
  if (matched === undefined) throw new Error(`JSON path ${path}: cannot read the filter ${condition}`);
  const read = compileJsonPath(left);
  if (operator === undefined) return (value) => itemsOf(value).filter((item) => read(item).length > 0);
  const readWanted = right.startsWith('@') ? compileJsonPath(right.slice(1)) : constant(parseLiteral(path, right));
  return (value) =>
    itemsOf(value).filter((item) =>
      read(item).some((found) => readWanted(item).some((wanted) => compare(found, operator, wanted))),
    );
};

const constant =
  (value: unknown): Step =>
  () => [value];

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
