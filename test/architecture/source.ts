import { readdirSync, readFileSync } from 'node:fs';
import { join, posix, relative, sep } from 'node:path';
import { parseAst } from 'rolldown/parseAst';

export const ROOT = join(import.meta.dirname, '..', '..');

/** A node of the syntax tree, as ESTree with TypeScript's additions. */
export interface Node {
  type: string;
  start: number;
  end: number;
  [member: string]: unknown;
}

/** One source file; `path` is relative to the project's root, with slashes. */
export interface Source {
  path: string;
  text: string;
  program: Node;
}

/** Parses a file; throws an Error with its name if the text is not TypeScript. */
export const makeSource = (path: string, text: string): Source => {
  try {
    return { path, text, program: parseAst(text, { lang: 'ts' }) as unknown as Node };
  } catch (cause) {
    throw new Error(`${path} is not TypeScript`, { cause });
  }
};

const isTypeScript = (path: string): boolean => path.endsWith('.ts') && !path.endsWith('.d.ts');

const readFolder = (folder: string): Source[] =>
  readdirSync(join(ROOT, folder), { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile() && isTypeScript(entry.name))
    .map((entry) => join(entry.parentPath, entry.name))
    .map((file) => makeSource(relative(ROOT, file).split(sep).join('/'), readFileSync(file, 'utf8')));

/** The sources by folder, because every rule reads the same files. */
const read = new Map<string, Source[]>();

/** All source files below the given folders. */
export const readSources = (...folders: readonly string[]): Source[] =>
  folders.flatMap((folder) => {
    const sources = read.get(folder) ?? readFolder(folder);
    read.set(folder, sources);
    return sources;
  });

/** Tests and their support code: fixtures, suites for several implementations, and test servers. */
export const isTestCode = ({ path }: Source): boolean =>
  path.startsWith('test/') || /\.test\.ts$|(^|\/)(test-[\w-]+|fixtures|[\w-]+-suite)\.ts$/.test(path);

const isNode = (value: unknown): value is Node =>
  typeof value === 'object' && value !== null && typeof (value as Node).type === 'string';

/** The direct children of a node, in the order of the text. */
export const childrenOf = (node: Node): Node[] => Object.values(node).flat().filter(isNode);

/** The node and all its descendants. */
export function* walk(node: Node): Generator<Node> {
  yield node;
  for (const child of childrenOf(node)) yield* walk(child);
}

/** The line number of an offset, from 1. */
export const lineOf = ({ text }: Source, offset: number): number => text.slice(0, offset).split('\n').length;

/** `path:line`, which editors and terminals turn into a link. */
export const placeOf = (source: Source, { start }: Node): string => `${source.path}:${lineOf(source, start)}`;

/** An import or re-export. `target` is a path in the project for a relative specifier, or else the specifier itself. */
export interface Import {
  node: Node;
  target: string;
  /** The import is erased at compile time. */
  typeOnly: boolean;
  /** The names that are imported; empty for `import *`, a default import and `export *`. */
  names: readonly string[];
}

const IMPORTING = ['ImportDeclaration', 'ExportNamedDeclaration', 'ExportAllDeclaration', 'ImportExpression'];

const targetOf = (source: Source, specifier: string): string =>
  specifier.startsWith('.') ? posix.join(posix.dirname(source.path), specifier) : specifier;

const namesOf = (node: Node): string[] =>
  ((node.specifiers ?? []) as Node[])
    .map(({ imported, local }) => (imported ?? local) as { name?: string } | undefined)
    .map((name) => name?.name ?? '');

/** All imports of the file, including `await import('…')`. */
export const importsOf = (source: Source): Import[] =>
  [...walk(source.program)].flatMap((node) => {
    if (!IMPORTING.includes(node.type) || !isNode(node.source)) return [];
    const target = targetOf(source, String(node.source.value));
    const typeOnly = node.importKind === 'type' || node.exportKind === 'type';
    return [{ node, target, typeOnly, names: namesOf(node) }];
  });
