import type { FileEntry } from './file-system.ts';
import { readYaml } from './yaml.ts';

/** A command of `bootcmd` or `runcmd`: a string is run by sh, and a list is executed directly. */
export type Command = string | string[];

export interface CloudConfig {
  files: FileEntry[];
  bootCommands: Command[];
  runCommands: Command[];
  /** Other modules that the document configures; the simulated machine does not execute them. */
  otherModules: string[];
}

type Document = Record<string, unknown>;

const EXECUTED = new Set(['write_files', 'bootcmd', 'runcmd']);

const isMap = (value: unknown): value is Document =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/**
 * Parses one text/cloud-config part. cloud-init reads YAML 1.1. Throws an Error that does not quote the text if it
 * is not YAML or not a map.
 */
export const parseCloudConfig = (text: string): Document => {
  const [document, ...more] = readYaml(text);
  if (more.length > 0) throw new Error('cloud-config holds more than one document');
  if (document === null || document === undefined) return {};
  if (!isMap(document)) throw new Error('cloud-config is not a map');
  return document;
};

const listOf = (document: Document, key: string): unknown[] => {
  const value = document[key] ?? [];
  if (!Array.isArray(value)) throw new Error(`${key}: must be a list`);
  return value;
};

const toCommand = (value: unknown, path: string): Command => {
  if (typeof value === 'string') return value;
  if (Array.isArray(value)) return value.map(String);
  throw new Error(`${path}: must be a string or a list of strings`);
};

const toFile = (value: unknown, path: string): FileEntry => {
  if (!isMap(value) || typeof value.path !== 'string') throw new Error(`${path}.path: required`);
  const text = (key: string): string | undefined => (value[key] === undefined ? undefined : String(value[key]));
  return {
    path: value.path,
    content: text('content'),
    encoding: text('encoding'),
    owner: text('owner'),
    permissions: text('permissions'),
    append: value.append === true,
  };
};

const commandsOf = (document: Document, key: string): Command[] =>
  listOf(document, key).map((value, index) => toCommand(value, `${key}[${index}]`));

/**
 * The documents of all cloud-config parts in one. A key of a later part replaces that of an earlier one, which is
 * cloud-init's default merge. Throws an error with the path of an invalid field.
 */
export const mergeCloudConfig = (documents: readonly Document[]): CloudConfig => {
  const merged: Document = Object.assign({}, ...documents);
  return {
    files: listOf(merged, 'write_files').map((value, index) => toFile(value, `write_files[${index}]`)),
    bootCommands: commandsOf(merged, 'bootcmd'),
    runCommands: commandsOf(merged, 'runcmd'),
    otherModules: Object.keys(merged).filter((key) => !EXECUTED.has(key)),
  };
};
