import { stringify } from 'yaml';

/**
 * The content of a YAML document. Keys with the value undefined, and objects without remaining keys, are not written.
 */
export type Fields = Record<string, unknown>;

/** An object literal, not a list and not a YAML node. */
const isFields = (value: unknown): value is Fields =>
  typeof value === 'object' && value !== null && Object.getPrototypeOf(value) === Object.prototype;

const isEmpty = (value: unknown): boolean =>
  value === undefined || (isFields(value) && Object.keys(value).length === 0);

/**
 * Removes undefined values and, below the top level, objects without keys. Empty lists are kept: `taints: []` means no
 * taints.
 */
export const compact = (fields: Fields): Fields =>
  Object.fromEntries(
    Object.entries(fields)
      .map(([key, value]): [string, unknown] => [key, isFields(value) ? compact(value) : value])
      .filter(([, value]) => !isEmpty(value)),
  );

/**
 * One YAML document. It uses YAML 1.1 quoting, because Go's and Python's parsers read `yes`, `on` and `0640` as that
 * version does. It has no folding, because any line may contain cloud-init templates, and no anchors, because two
 * fields may share a value.
 */
export const toYaml = (fields: Fields): string =>
  stringify(fields, { version: '1.1', lineWidth: 0, aliasDuplicateObjects: false });
