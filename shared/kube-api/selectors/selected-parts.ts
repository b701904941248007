import { isDeepStrictEqual } from 'node:util';
import type { JsonObject } from '../json.ts';
import { isObject } from '../json.ts';
import { readJsonPath } from '../json-path.ts';
import type { KubeObject } from '../object.ts';
import type { ResourceDefinition } from '../resource.ts';

/** The parts of an object that selectors use and that may change, by JSON path; absent parts are null. */
export type SelectedParts = Readonly<Record<string, unknown>>;

const LABELS = '.metadata.labels';

/** What a watch must know about an object before a write. `parts` is absent if it cannot be expressed in parts. */
export interface Former {
  parts?: SelectedParts;
}

/**
 * The parts of `old` that a selector could have matched and that differ in `next`; undefined if they are the same to
 * every selector. Pure.
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

/** The object with these parts as they were. Paths are plain members with a leading dot, as in all definitions. */
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
