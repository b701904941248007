import type * as z from 'zod';
import { readYamlDocument, type YamlDialect, type YamlDocument } from '../../../decode/yaml-documents.ts';
import { type ContainerLinuxConfig, containerLinuxConfig } from './schema.ts';

/** The errors in a config: `problems` cannot be ignored, `warnings` are the transpiler's. */
export interface Findings {
  problems: string[];
  warnings: string[];
}

export interface Read extends Findings {
  config: ContainerLinuxConfig;
}

const pathOf = (path: readonly PropertyKey[]): string =>
  path
    .reduce<string>((text, key) => (typeof key === 'number' ? `${text}[${key}]` : `${text}.${String(key)}`), '')
    .slice(1);

const failed = (problem: string): Read => ({ config: {}, problems: [problem], warnings: [] });

const DIALECT: YamlDialect = { schema: 'failsafe', customTags: ['binary'], merge: true };

const documentOf = (source: string): YamlDocument | undefined => {
  try {
    return readYamlDocument(source, DIALECT);
  } catch {
    return undefined;
  }
};

/** The document with all scalars as text, whatever their YAML type. Empty values are left out. */
const parseText = (source: string): { value: unknown } | { problem: string } => {
  const unusable = { problem: 'is not YAML: it has an alias without an anchor, or is nested too deeply' };
  const document = documentOf(source);
  if (!document) return unusable;
  const [error = document.duplicates[0]] = document.faults;
  // Only the location of the error is reported: its message may quote the config.
  if (error) return { problem: `line ${error.line}: is not YAML (${error.code})` };
  const read = document.read();
  if (read.problem === 'COLLECTION_KEY') return { problem: 'is not YAML: it has a key that is a list or a map' };
  return read.problem === undefined ? { value: withoutNulls(read.value) } : unusable;
};

const NULLS = ['', '~', 'null', 'Null', 'NULL'];

const withoutNulls = (value: unknown): unknown => {
  if (Array.isArray(value)) return value.map(withoutNulls);
  if (typeof value !== 'object' || value === null || value instanceof Uint8Array) return value;
  const kept = Object.entries(value).filter(([, item]) => item !== null && !NULLS.includes(item as string));
  return Object.fromEntries(kept.map(([key, item]) => [key, withoutNulls(item)]));
};

const remove = (value: unknown, path: readonly PropertyKey[], keys: readonly string[]): void => {
  const target = path.reduce<unknown>((at, key) => (at as Record<PropertyKey, unknown>)[key], value);
  for (const key of keys) delete (target as Record<string, unknown>)[key];
};

const isUnknownKey = (issue: z.core.$ZodIssue): issue is z.core.$ZodIssueUnrecognizedKeys =>
  issue.code === 'unrecognized_keys';

/** Reads a Container Linux Config. Like its transpiler, warns of unknown keys and skips them. */
export const readContainerLinuxConfig = (source: string): Read => {
  const parsed = parseText(source);
  if ('problem' in parsed) return failed(parsed.problem);
  const value = parsed.value ?? {};
  const first = containerLinuxConfig.safeParse(value);
  if (first.success) return { config: first.data, problems: [], warnings: [] };
  const unknown = first.error.issues.filter(isUnknownKey);
  const warnings = unknown.flatMap(({ path, keys }) => keys.map((key) => `${pathOf([...path, key])}: is not known`));
  for (const { path, keys } of unknown) remove(value, path, keys);
  const second = containerLinuxConfig.safeParse(value);
  if (second.success) return { config: second.data, problems: [], warnings };
  const problems = second.error.issues.map(({ path, message }) => `${pathOf(path) || 'the config'}: ${message}`);
  return { config: {}, problems, warnings };
};
