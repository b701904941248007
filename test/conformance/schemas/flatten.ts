import { createHash } from 'node:crypto';
import type { OpenApiSchema } from '../../../shared/kube-api/resource.ts';

/** The keywords of a schema for one field. Values are normalized, so that equal rules are deeply equal. */
export type Attributes = Readonly<Record<string, unknown>>;

/** Keywords that only describe, or that contain the schemas of other fields. */
const NOT_RULES: ReadonlySet<string> = new Set(['description', 'properties', 'items', 'additionalProperties', 'allOf']);

/** Keywords whose lists have no significant order. */
const SETS: ReadonlySet<string> = new Set(['enum', 'required', 'x-kubernetes-list-map-keys']);

const INT_OR_STRING = 'x-kubernetes-int-or-string';

/** The keyword for CEL rules. */
const RULES = 'x-kubernetes-validations';

type Schema = OpenApiSchema & { allOf?: Schema[]; 'x-kubernetes-validations'?: { rule: string }[] };

/** Identifies a long text of upstream, so that it need not be repeated here. */
const digest = (text: string): string => createHash('sha256').update(text).digest('hex').slice(0, 8);

const normalized = (keyword: string, value: unknown): unknown => {
  if (SETS.has(keyword)) return (value as unknown[]).map(String).toSorted();
  if (keyword === RULES) return (value as { rule: string }[]).map(({ rule }) => digest(rule)).toSorted();
  return value;
};

/** Keywords and the value that applies if they are absent. */
const IMPLIED: Readonly<Record<string, unknown>> = {
  'x-kubernetes-list-type': 'atomic',
  'x-kubernetes-map-type': 'granular',
  minItems: 0,
  minLength: 0,
  minProperties: 0,
  nullable: false,
};

const tighter = (keyword: string, one: unknown, other: unknown): unknown => {
  if (one === undefined) return other;
  if (keyword.startsWith('max')) return Math.min(Number(one), Number(other));
  if (keyword.startsWith('min')) return Math.max(Number(one), Number(other));
  if (keyword === 'enum') return (one as unknown[]).filter((value) => (other as unknown[]).includes(value));
  return one === other ? one : [one, other];
};

/**
 * Merges the members of `allOf`. Upstream uses two members for the limits of a type and of a field, both of which
 * apply.
 */
const merged = ({ allOf = [], ...schema }: Schema): Schema => {
  const all: Record<string, unknown> = { ...schema };
  for (const part of allOf) {
    for (const [keyword, value] of Object.entries(part)) all[keyword] = tighter(keyword, all[keyword], value);
  }
  return all as Schema;
};

const attributesOf = (schema: Schema): Attributes => {
  const rules = Object.entries(schema).filter(
    ([keyword, value]) => !NOT_RULES.has(keyword) && IMPLIED[keyword] !== value,
  );
  const attributes = Object.fromEntries(rules.map(([keyword, value]) => [keyword, normalized(keyword, value)]));
  // Both keywords have the same meaning.
  if (schema[INT_OR_STRING]) delete attributes.anyOf;
  return attributes;
};

const childrenOf = ({ properties = {}, items, additionalProperties }: Schema): [string, Schema][] => [
  ...Object.entries(properties).map(([name, schema]): [string, Schema] => [`.${name}`, schema as Schema]),
  ...(items ? [['[]', items as Schema] as [string, Schema]] : []),
  ...(typeof additionalProperties === 'object' ? [['{}', additionalProperties as Schema] as [string, Schema]] : []),
];

/**
 * Flattens a schema to one row for each field, such as `.spec.taints[].key`, or `{}` for the values of a map. The path
 * of the whole object is ''.
 */
export const flatten = (schema: OpenApiSchema, path = ''): ReadonlyMap<string, Attributes> => {
  const rows = new Map([[path, attributesOf(merged(schema))]]);
  for (const [name, child] of childrenOf(merged(schema))) {
    for (const [below, attributes] of flatten(child, path + name)) rows.set(below, attributes);
  }
  return rows;
};
