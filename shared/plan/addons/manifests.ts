import type { ScalarTag } from 'yaml';
import { readYamlDocuments, type YamlDialect, type YamlDocument } from '../../decode/yaml-documents.ts';
import { isObject } from '../../kube-api/json.ts';

/** Kinds that others depend on, in the order in which they must exist (cluster-api util/resource). */
const FIRST: readonly string[] = [
  'Namespace',
  'CustomResourceDefinition',
  'StorageClass',
  'PersistentVolume',
  'PersistentVolumeClaim',
  'Secret',
  'ConfigMap',
  'ServiceAccount',
  'LimitRange',
  'Pod',
  'ReplicaSet',
  'Endpoint',
];

const RANKS: ReadonlyMap<string, number> = new Map(FIRST.map((kind, index) => [kind, index]));

const rank = ({ kind }: { kind: string }): number => RANKS.get(kind) ?? FIRST.length;

/** The objects, with dependencies first; those of equal rank stay in the order of the manifest. */
const inCreationOrder = <T extends { kind: string }>(objects: readonly T[]): T[] =>
  objects.toSorted((a, b) => rank(a) - rank(b));

/** An object of a manifest: it has a kind, a version and a name, and only the API server can validate the rest. */
export interface ManifestObject {
  apiVersion: string;
  kind: string;
  metadata: { name: string; namespace?: string; [field: string]: unknown };
  [field: string]: unknown;
}

/**
 * Text that cannot be parsed as objects. The message contains the location and no quotation, because a manifest may
 * contain secrets.
 */
export class ManifestError extends Error {
  override readonly name = 'Manifest';
}

/** An octal number, which is `014` in YAML 1.1, in the form of YAML 1.2. Go's library accepts both. */
const OCTAL: ScalarTag = {
  identify: () => false,
  default: true,
  tag: 'tag:yaml.org,2002:int',
  test: /^[-+]?0o[0-7]+$/,
  resolve: (text) => Number(text.replace(/^[-+]/, '')) * (text.startsWith('-') ? -1 : 1),
};

/**
 * The dialect of Kubernetes' own YAML library: version 1.1 (`0644` is octal, `on` is true), except that times and
 * base-60 numbers stay text.
 */
const DIALECT: YamlDialect = {
  version: '1.1',
  customTags: (tags) => [
    OCTAL,
    ...tags.filter((tag) => typeof tag === 'string' || !(tag.tag === TIMESTAMP || isBase60(tag))),
  ],
};

const TIMESTAMP = 'tag:yaml.org,2002:timestamp';

const isBase60 = (tag: object): boolean => 'format' in tag && tag.format === 'TIME';

export interface Manifests {
  /** In the order in which they must be created. */
  objects: ManifestObject[];
  /** Likely mistakes in the text. Only locations, because the texts may contain secrets. */
  warnings: string[];
}

/** The objects of all values. Throws ManifestError. */
export const parseManifests = (values: ReadonlyMap<string, string>): Manifests => {
  const read = [...values].map(([key, text]) => {
    const { contents, warnings } = documentsOf(key, text);
    return { objects: inCreationOrder(contents.flatMap(flatten).map(checked(key))), warnings };
  });
  return { objects: read.flatMap(({ objects }) => objects), warnings: read.flatMap(({ warnings }) => warnings) };
};

/** The objects of all values, in the order in which they must be created. Throws ManifestError. */
export const readManifests = (values: ReadonlyMap<string, string>): ManifestObject[] => parseManifests(values).objects;

/** The documents of one value, without empty ones. As in Go's library, the last of duplicate keys is used. */
const documentsOf = (key: string, text: string): { contents: unknown[]; warnings: string[] } => {
  const documents = parsed(key, text);
  const [fault] = documents.flatMap(({ faults }) => faults);
  if (fault) throw new ManifestError(`${key} is not YAML: ${fault.code} in line ${fault.line}`);
  const duplicates = documents.flatMap((document) => document.duplicates.map(({ line }) => line));
  const lines = [...new Set(duplicates)].sort((a, b) => a - b);
  const contents = documents
    .map((document) => contentOf(key, document))
    .filter((value) => value !== null && value !== undefined);
  const warnings =
    lines.length > 0 ? [`${key} has a duplicate key, whose last value is used: line ${lines.join(', ')}`] : [];
  return { contents, warnings };
};

const parsed = (key: string, text: string): YamlDocument[] => {
  try {
    return readYamlDocuments(text, DIALECT);
  } catch (error) {
    if (error instanceof RangeError) throw new ManifestError(`${key} is nested too deeply`);
    throw error;
  }
};

const contentOf = (key: string, document: YamlDocument): unknown => {
  const read = document.read();
  if (read.problem === undefined) return read.value;
  if (read.problem === 'TOO_DEEP') throw new ManifestError(`${key} is nested too deeply`);
  if (read.problem === 'BAD_ALIAS') throw new ManifestError(`${key} is not YAML: its aliases are not defined`);
  throw new ManifestError(`${key} is not YAML: ${read.problem}`);
};

/** A List is replaced by its items, and so is a plain list, which upstream accepts only in JSON. */
const flatten = (value: unknown): unknown[] => {
  if (Array.isArray(value)) return value.flatMap(flatten);
  return isObject(value) && value.kind === 'List' && Array.isArray(value.items)
    ? value.items.flatMap(flatten)
    : [value];
};

const checked =
  (key: string) =>
  (value: unknown, index: number): ManifestObject => {
    const where = `object ${index + 1} in ${key}`;
    if (!isObject(value)) throw new ManifestError(`${where} is not an object`);
    const { apiVersion, kind, metadata } = value;
    if (typeof apiVersion !== 'string' || apiVersion === '') throw new ManifestError(`${where} has no apiVersion`);
    if (typeof kind !== 'string' || kind === '') throw new ManifestError(`${where} has no kind`);
    if (!isObject(metadata) || typeof metadata.name !== 'string' || metadata.name === '')
      throw new ManifestError(`${where} has no metadata.name`);
    return value as unknown as ManifestObject;
  };
