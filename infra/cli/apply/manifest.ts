import { readFileSync } from 'node:fs';
import type { KubeObject } from '../../../shared/kube-api/object.ts';
import { yamlDocuments } from './yaml.ts';

/** One document of a file to be applied. */
export interface Manifest {
  /** The name from the command line, for messages. */
  file: string;
  object: KubeObject;
}

/** A file that cannot be applied at all; the message is worded as kubectl's. */
export class ManifestError extends Error {
  override readonly name = 'ManifestError';
}

const fail = (message: string): never => {
  throw new ManifestError(`error: ${message}`);
};

/** The file name for standard input. */
const STDIN = '-';

const readText = (file: string): string => {
  try {
    if (file === STDIN) return readFileSync(process.stdin.fd, 'utf8');
    return readFileSync(file, 'utf8');
  } catch (error) {
    const missing = (error as NodeJS.ErrnoException).code === 'ENOENT';
    return fail(missing ? `the path "${file}" does not exist` : `${file}: ${(error as Error).message}`);
  }
};

const isRecord = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

const checked = (file: string, value: unknown): KubeObject => {
  if (!isRecord(value)) return fail(`unable to decode "${file}": a document is not an object`);
  const { kind, apiVersion, metadata } = value;
  if (typeof kind !== 'string' || kind === '') return fail(`unable to decode "${file}": Object 'Kind' is missing`);
  if (typeof apiVersion !== 'string' || apiVersion === '')
    return fail(`unable to decode "${file}": Object 'apiVersion' is missing in ${kind}`);
  if (!isRecord(metadata) || typeof metadata.name !== 'string' || metadata.name === '')
    return fail(
      `error when retrieving current configuration of ${kind} from "${file}": resource name may not be empty`,
    );
  return value as unknown as KubeObject;
};

/** A List stands for its items. */
const flatten = (value: unknown): unknown[] =>
  isRecord(value) && value.kind === 'List' && Array.isArray(value.items) ? value.items.flatMap(flatten) : [value];

/**
 * The objects in a file of YAML documents, or of JSON, which is YAML. Empty documents are skipped. Throws ManifestError
 * if the file cannot be read or parsed, or does not contain objects.
 */
export const readManifests = (file: string): Manifest[] => {
  const documents = yamlDocuments(readText(file));
  const problem = documents.flatMap(({ errors }) => errors)[0];
  if (problem) {
    const line = problem.linePos?.[0].line ?? 1;
    fail(`error parsing ${file}: error converting YAML to JSON: yaml: line ${line}: ${problem.message.split('\n')[0]}`);
  }
  const values = documents.map((document) => document.toJS() as unknown);
  const objects = values.filter((value) => value !== null && value !== undefined).flatMap(flatten);
  if (objects.length === 0) fail(`no objects passed to apply in ${file}`);
  return objects.map((object) => ({ file, object: checked(file, object) }));
};
