import { isObject, type JsonObject } from '../json.ts';
import { readJsonPath } from '../json-path.ts';
import type { KubeObject } from '../object.ts';
import type { PrinterColumn, ResourceDefinition } from '../resource.ts';
import { humanDuration } from './duration.ts';

/** A version of meta.k8s.io. */
export type MetaVersion = 'v1' | 'v1beta1';

/** What a row contains of its object: everything, only its metadata (the default), or nothing. */
export type IncludeObject = 'Object' | 'Metadata' | 'None';

const NAME_COLUMN: PrinterColumn = {
  name: 'Name',
  type: 'string',
  format: 'name',
  jsonPath: '.metadata.name',
  description: 'Name must be unique within a namespace.',
};

const AGE: PrinterColumn = { name: 'Age', type: 'date', jsonPath: '.metadata.creationTimestamp' };

/**
 * The name is the first column, unless the kind places it elsewhere. Kinds without columns show their age, as custom
 * resources do.
 */
const columnsOf = ({ columns }: ResourceDefinition): readonly PrinterColumn[] =>
  columns.some(({ format }) => format === 'name') ? columns : [NAME_COLUMN, ...(columns.length > 0 ? columns : [AGE])];

export const partialMetadata = ({ metadata }: KubeObject, version: MetaVersion): JsonObject => ({
  kind: 'PartialObjectMetadata',
  apiVersion: `meta.k8s.io/${version}`,
  metadata,
});

/**
 * Returns a meta.k8s.io Table of the objects, with ages at `now`. Without `definitions`, `columnDefinitions` is null,
 * as in all but the first event of a watch.
 */
export const tableOf = (
  resource: ResourceDefinition,
  objects: readonly KubeObject[],
  { metadata, now, include = 'Metadata', definitions = true, version = 'v1' }: TableOptions,
): JsonObject => ({
  kind: 'Table',
  apiVersion: `meta.k8s.io/${version}`,
  metadata,
  columnDefinitions: definitions ? columnsOf(resource).map((column) => definitionOf(resource, column)) : null,
  rows: objects.map((object) => ({
    cells: columnsOf(resource).map((column) => cellOf(resource, column, object, now)),
    object: include === 'None' ? null : include === 'Object' ? object : partialMetadata(object, version),
  })),
});

interface TableOptions {
  metadata: JsonObject;
  now: Date;
  include?: IncludeObject;
  definitions?: boolean;
  version?: MetaVersion;
}

/** Built-in kinds declare `string` for nearly every column, whatever its cells contain. */
const definitionOf = (
  { builtIn }: ResourceDefinition,
  { name, type, statedType = 'string', format, description, jsonPath, priority }: PrinterColumn,
): JsonObject => ({
  name,
  type: builtIn ? statedType : type,
  format: format ?? '',
  description: description ?? `Custom resource definition column (in JSONPath format): ${jsonPath}`,
  priority: priority ?? 0,
});

/** A custom column may have an invalid path. */
const readCell = (path: string, object: KubeObject): unknown => {
  try {
    return readJsonPath(path, object);
  } catch {
    return undefined;
  }
};

const cellOf = (resource: ResourceDefinition, column: PrinterColumn, object: KubeObject, now: Date): unknown => {
  const value = column.value ? column.value(object, now) : readCell(column.jsonPath, object);
  if (value === undefined || value === null) return emptyCell(resource, column);
  if (column.type === 'date') return ageOf(value, now);
  if (column.type === 'string') return typeof value === 'string' ? value : textOf(value);
  if (column.type === 'boolean') return typeof value === 'boolean' ? value : null;
  return typeof value === 'number' ? value : null;
};

/** Columns of built-in kinds never have null cells; columns of custom kinds do if the field is missing. */
const emptyCell = ({ builtIn }: ResourceDefinition, { type, format }: PrinterColumn): string | null => {
  if (format === 'name') return '';
  if (!builtIn) return null;
  return type === 'date' ? UNKNOWN_AGE : '';
};

const UNKNOWN_AGE = '<unknown>';

const textOf = (value: unknown): string =>
  isObject(value) || Array.isArray(value) ? JSON.stringify(value) : String(value);

const ageOf = (value: unknown, now: Date): string => {
  const then = typeof value === 'string' ? Date.parse(value) : Number.NaN;
  return Number.isNaN(then) ? UNKNOWN_AGE : humanDuration(now.getTime() - then);
};
