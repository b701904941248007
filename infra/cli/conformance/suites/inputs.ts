/** The files of the checkout that a conformance test depends on. */
import { readdirSync } from 'node:fs';
import { join, posix, relative, sep } from 'node:path';
import type { ClosureOf } from './closure.ts';
import type { Suite } from './suites.ts';

const FOLDERS = ['examples', 'functions', 'infra', 'shared', 'test'];

/** Every test depends on them: libraries and their versions, and the settings of the stack and of TypeScript. */
const ALWAYS = ['cdk.json', 'package-lock.json', 'test/conformance/vitest.config.ts', 'tsconfig.json'];

/** What `npm start` and `npm run windlass` are made of, and what the kubeconfigs that they write start. */
const DRIVEN = ['infra/cli/windlass.ts', 'infra/cli/exec-token.ts'];

/** Parts of commands for those who work on the project. What a suite starts is for users. */
const NOT_DRIVEN = /^infra\/cli\/(bench|conformance|docs)\//;

/** What every test file runs with, beside itself. */
const COMMON = ['test/conformance/declared-inputs.ts', 'test/synthesized.ts'];

/** The modules whose imports `inputsOf` needs. */
export const entriesFor = (files: readonly string[]): string[] => [...files, ...DRIVEN, ...COMMON];

/** All files below the folders that hold code and fixtures, relative to the root. */
export const filesOf = (root: string): string[] =>
  FOLDERS.flatMap((folder) =>
    readdirSync(join(root, folder), { recursive: true, withFileTypes: true })
      .filter((entry) => entry.isFile())
      .map((entry) => relative(root, join(entry.parentPath, entry.name)).split(sep).join('/')),
  );

/** Unit tests lie beside the code, and no suite reads or runs them. */
const isUnitTest = (path: string): boolean => path.endsWith('.test.ts');

const isModule = (path: string): boolean => path.endsWith('.ts');

/** The folder that a fixture belongs to: the nearest one, its own or above it, that holds modules. */
const homeOf = (path: string, folders: ReadonlySet<string>): string => {
  let folder = posix.dirname(path);
  while (folder !== '.' && !folders.has(folder)) folder = posix.dirname(folder);
  return folder;
};

export type InputsOf = (file: string, suite: Suite) => readonly string[];

/**
 * Says for a test file, and the suite that it is in, which files it depends on, sorted: the modules that it imports, the
 * fixtures that lie with those modules, the examples, and what its suite declares. `files` are all of the checkout. What
 * the deployed bundles are made of is not among them: the template names the bundles by their contents.
 */
export const makeInputsOf = (closureOf: ClosureOf, files: readonly string[]): InputsOf => {
  const folders = new Set(files.filter(isModule).map((path) => posix.dirname(path)));
  const fixtures = Map.groupBy(
    files.filter((path) => !isModule(path)),
    (path) => homeOf(path, folders),
  );
  return (file, { drives, reads = [] }) => {
    const driven = drives ? DRIVEN.flatMap(closureOf).filter((path) => !NOT_DRIVEN.test(path)) : [];
    const modules = new Set([...[file, ...COMMON].flatMap(closureOf), ...driven]);
    const homes = new Set([...modules].map((path) => posix.dirname(path)));
    // Fixtures without modules above them belong to all: the examples.
    const found = ['.', ...homes].flatMap((folder) => fixtures.get(folder) ?? []);
    const inFolder = (folder: string) => files.filter((path) => path.startsWith(folder) && !isUnitTest(path));
    const read = reads.flatMap((path) => (path.endsWith('/') ? inFolder(path) : path));
    return [...new Set([...modules, ...found, ...ALWAYS, ...read])].toSorted();
  };
};
