import { isObject, type JsonObject } from '../../kube-api/json.ts';
import type { KubeObject } from '../../kube-api/object.ts';

/**
 * The differences between v1beta1 and v1beta2 of a kind, as rules that are applied in both directions. A field without
 * a rule has the same place in both. A field that one of them does not have is dropped by its schema (and kept by the
 * server, see `kube-api/versions/convert.ts`).
 */

export interface Context {
  namespace: string;
}

/** The conversion of a value between the two versions; undefined omits it. Total: accepts any JSON value. */
export interface Codec {
  toNew(value: unknown, context: Context): unknown;
  toOld(value: unknown, context: Context): unknown;
  /** Adds to the older value, or to its absence, what that version's admission adds. */
  complete?(value: unknown, context: Context, siblings: JsonObject): unknown;
}

/** A field: its place in v1beta1, its place in v1beta2, and the conversion of its value. */
export interface Rule {
  old: readonly string[];
  new: readonly string[];
  codec: Codec;
}

const AS_IS: Codec = { toNew: (value) => value, toOld: (value) => value };

const parts = (path: string): string[] => (path === '' ? [] : path.split('.'));

/** A field with another place or another form, or both. */
export const field = (oldPath: string, newPath: string, codec: Codec = AS_IS): Rule => ({
  old: parts(oldPath),
  new: parts(newPath),
  codec,
});

/** Fields of an object at these paths. */
export const within = (oldPath: string, newPath: string, rules: readonly Rule[]): Rule[] =>
  rules.map((rule) => ({
    ...rule,
    old: [...parts(oldPath), ...rule.old],
    new: [...parts(newPath), ...rule.new],
  }));

/** A list whose items have their own rules. */
export const items = (rules: readonly Rule[]): Codec => {
  const each = (change: (item: unknown, context: Context) => unknown) => (value: unknown, context: Context) =>
    Array.isArray(value) ? value.map((item) => change(item, context)) : value;
  return {
    toNew: each((item, context) => toNew(rules, item, context)),
    toOld: each((item, context) => toOld(rules, item, context)),
    complete: each((item, context) => complete(rules, item, context)),
  };
};

export const toNew = (rules: readonly Rule[], value: unknown, context: Context): unknown =>
  convert(value, rules, (rule) => [rule.old, rule.new, rule.codec.toNew(read(value, rule.old), context)]);

export const toOld = (rules: readonly Rule[], value: unknown, context: Context): unknown =>
  convert(value, rules, (rule) => [rule.new, rule.old, rule.codec.toOld(read(value, rule.new), context)]);

export const complete = (rules: readonly Rule[], value: unknown, context: Context): unknown =>
  convert(value, rules, ({ old, codec }) => {
    const [found, siblings] = [read(value, old), read(value, old.slice(0, -1))];
    return [old, old, codec.complete && isObject(siblings) ? codec.complete(found, context, siblings) : found];
  });

export const contextOf = ({ metadata }: KubeObject): Context => ({ namespace: metadata.namespace ?? '' });

type Step = [from: readonly string[], to: readonly string[], value: unknown];

/** All values are read before the first is written, because places in one version may be other fields in the other. */
const convert = (value: unknown, rules: readonly Rule[], stepOf: (rule: Rule) => Step): unknown => {
  if (!isObject(value)) return value;
  const result = structuredClone(value);
  const steps = rules.map(stepOf);
  for (const [from] of steps) remove(result, from);
  for (const [, to, moved] of steps) if (moved !== undefined) put(result, to, structuredClone(moved));
  return result;
};

const read = (value: unknown, path: readonly string[]): unknown =>
  path.reduce<unknown>((found, key) => (isObject(found) && Object.hasOwn(found, key) ? found[key] : undefined), value);

const remove = (target: JsonObject, path: readonly string[]): void => {
  const parent = read(target, path.slice(0, -1));
  if (isObject(parent)) delete parent[path.at(-1) ?? ''];
};

/** A value at this path that is not an object is invalid in the version: the schema refuses it. */
const put = (target: JsonObject, [key = '', ...rest]: readonly string[], value: unknown): void => {
  if (rest.length === 0) {
    target[key] = value;
    return;
  }
  const member = target[key] ?? {};
  target[key] = member;
  if (isObject(member)) put(member, rest, value);
};
