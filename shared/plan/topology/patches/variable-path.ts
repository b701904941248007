import { isObject, type JsonObject } from '../../../kube-api/json.ts';
import { TopologyError } from '../error.ts';

/** Variables by name. */
export type Variables = Readonly<Record<string, unknown>>;

interface Segment {
  key: string;
  index: number | undefined;
}

const readSegment = (segment: string): Segment => {
  const [open, close] = [segment.indexOf('['), segment.indexOf(']')];
  if (open < 0 !== close < 0) throw new TopologyError(`failed to parse path segment "${segment}"`);
  if (open < 0) return { key: segment, index: undefined };
  const text = segment.slice(open + 1, close);
  if (!/^[+-]?\d+$/.test(text)) {
    const why = `strconv.Atoi: parsing "${text}": invalid syntax`;
    throw new TopologyError(`failed to parse array index in path segment "${segment}": ${why}`);
  }
  const index = Number(text);
  if (index < 0) throw new TopologyError(`invalid array index ${index} in path segment "${segment}"`);
  return { key: segment.slice(0, open), index };
};

const itemOf = (value: unknown, { key, index = 0 }: Segment, path: string): unknown => {
  if (!Array.isArray(value)) throw new TopologyError(`variable "${path}" is invalid: failed to get array "${key}"`);
  if (index >= value.length)
    throw new TopologyError(`variable "${path}" is invalid: array does not have index ${index}`);
  return value[index];
};

const memberOf = (value: unknown, { key }: Segment, path: string): unknown => {
  if (isObject(value) && Object.hasOwn(value, key)) return value[key];
  throw new TopologyError(`variable "${path}" does not exist: failed to lookup segment "${key}"`);
};

/**
 * The value of a variable by its path, `name.field[0].field`
 * (core/reconcilers/topology/cluster/patches/variables/value.go). Throws TopologyError if there is none.
 */
export const variableAt = (variables: Variables, path: string): unknown => {
  const [name = '', ...rest] = path.split('.');
  const first = readSegment(name);
  if (!Object.hasOwn(variables, first.key)) throw new TopologyError(`variable "${name}" does not exist`);
  let value: unknown = variables[first.key];
  if (first.index !== undefined) value = itemOf(value, first, path);
  for (const part of rest) {
    const segment = readSegment(part);
    value = memberOf(value, segment, path);
    if (segment.index !== undefined) value = itemOf(value, segment, path);
  }
  return value;
};

/**
 * Combines the variables of all templates with those of one template. The latter take precedence, and built-in
 * variables are merged (exp/runtime/topologymutation/variables.go).
 */
export const mergeVariables = (all: Variables, own: Variables): Variables => {
  const builtin: JsonObject = { ...(all.builtin as JsonObject), ...(own.builtin as JsonObject) };
  return { ...all, ...own, builtin };
};
