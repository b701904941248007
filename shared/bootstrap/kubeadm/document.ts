import { stringify } from 'yaml';

/** YAML is made of this. Keys whose value is undefined, and objects that have no key left, are not written. */
export type Fields = Record<string, unknown>;

/** An object literal; not a list and not a YAML node. */
const isFields = (value: unknown): value is Fields =>
  typeof value === 'object' && value !== null && Object.getPrototypeOf(value) === Object.prototype;

const isEmpty = (value: unknown): boolean =>
  value === undefined || (isFields(value) && Object.keys(value).length === 0);

/** Drops undefined and, below the top, objects without keys. Empty lists stay: `taints: []` means no taints. */
export const compact = (fields: Fields): Fields =>
  Object.fromEntries(
    Object.entries(fields)
      .map(([key, value]): [string, unknown] => [key, isFields(value) ? compact(value) : value])
      .filter(([, value]) => !isEmpty(value)),
  );

/**
 * One YAML document. YAML 1.1 quoting, because Go's and Python's parsers read `yes`, `on` and `0640` as that version
 * does; no folding, because any line may contain cloud-init templates; no anchors, because two fields may share a
 * value.
 */
export const toYaml = (fields: Fields): string =>
  stringify(fields, { version: '1.1', lineWidth: 0, aliasDuplicateObjects: false });
