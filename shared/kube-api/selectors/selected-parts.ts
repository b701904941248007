import { isDeepStrictEqual } from 'node:util';
import type { JsonObject } from '../json.ts';
import { isObject } from '../json.ts';
import { readJsonPath } from '../json-path.ts';
import type { KubeObject } from '../object.ts';
import type { ResourceDefinition } from '../resource.ts';

/** The mutable parts of an object that selectors use, by JSON path; a missing part is null. */
export type SelectedParts = Readonly<Record<string, unknown>>;

const LABELS = '.metadata.labels';

/**
 * What a watch needs to know about an object before a write; `parts` is absent if that cannot be expressed as parts.
 */
export interface Former {
  parts?: SelectedParts;
}

/** What a selector could have matched in `old` and does not find in its successor; see `formerOf`. */
export type FormerOf = (old: KubeObject) => Former | undefined;

/**
 * Returns the parts of `old` that a selector could have matched and that differ in `next`, or undefined if no selector
 * could tell the two apart. Pure.
 */
export const formerOf = (resource: ResourceDefinition, old: KubeObject, next: KubeObject): Former | undefined => {
  const values = Object.values(resource.selectableValues ?? {});
  if (values.some((read) => read(old) !== read(next))) return {};
  const paths = [LABELS, ...(resource.selectableFields ?? [])];
  const changed = paths.filter((path) => !isDeepStrictEqual(read(path, old), read(path, next)));
  if (changed.length === 0) return undefined;
  return { parts: Object.fromEntries(changed.map((path) => [path, read(path, old)])) };
};

const read = (path: string, object: KubeObject): unknown => readJsonPath(path, object) ?? null;

/** Restores these parts of an object. Paths are plain members with a leading dot, as in all definitions. */
export const withParts = (object: KubeObject, parts: SelectedParts): KubeObject =>
  Object.entries(parts).reduce<JsonObject>(
    (whole, [path, value]) => withMember(whole, path.slice(1).split('.'), value),
    object as unknown as JsonObject,
  ) as unknown as KubeObject;

const withMember = (whole: JsonObject, [key = '', ...rest]: string[], value: unknown): JsonObject => {
  if (rest.length > 0) {
    const inner = whole[key];
    return { ...whole, [key]: withMember(isObject(inner) ? inner : {}, rest, value) };
  }
  const { [key]: _, ...others } = whole;
  return value === null ? others : ({ ...others, [key]: value } as JsonObject);
};
