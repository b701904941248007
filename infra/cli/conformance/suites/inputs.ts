/** The files of the checkout on which a conformance test depends. */
import { readdirSync } from 'node:fs';
import { join, posix, relative, sep } from 'node:path';
import type { ClosureOf } from './closure.ts';
import type { Suite } from './suites.ts';

const FOLDERS = ['examples', 'functions', 'infra', 'shared', 'test'];

/**
 * The files on which every test depends: libraries and their versions, and the settings of the stack and of TypeScript.
 */
const ALWAYS = ['cdk.json', 'package-lock.json', 'test/conformance/vitest.config.ts', 'tsconfig.json'];

/** The entry points of `npm start` and `npm run windlass`, and of the command in the kubeconfigs that they write. */
const DRIVEN = ['infra/cli/windlass.ts', 'infra/cli/exec-token.ts'];

/** Commands for developers of the project. Suites only start commands for users. */
const NOT_DRIVEN = /^infra\/cli\/(bench|conformance|docs)\//;

/** Modules that every test file loads. */
const COMMON = ['test/conformance/declared-inputs.ts', 'test/synthesized.ts'];

/** The modules whose imports `inputsOf` needs. */
export const entriesFor = (files: readonly string[]): string[] => [...files, ...DRIVEN, ...COMMON];

/** All files in the folders with code and fixtures, relative to the root. */
export const filesOf = (root: string): string[] =>
  FOLDERS.flatMap((folder) =>
    readdirSync(join(root, folder), { recursive: true, withFileTypes: true })
      .filter((entry) => entry.isFile())
      .map((entry) => relative(root, join(entry.parentPath, entry.name)).split(sep).join('/')),
  );

/** Unit tests are beside the code, and no suite reads or runs them. */
const isUnitTest = (path: string): boolean => path.endsWith('.test.ts');

const isModule = (path: string): boolean => path.endsWith('.ts');

/** The folder to which a fixture belongs: its own, or the nearest one above it, that contains modules. */
const homeOf = (path: string, folders: ReadonlySet<string>): string => {
  let folder = posix.dirname(path);
  while (folder !== '.' && !folders.has(folder)) folder = posix.dirname(folder);
  return folder;
};

export type InputsOf = (file: string, suite: Suite) => readonly string[];

/**
 * Creates a function that returns the files on which a test file of a suite depends, sorted: the modules that it
 * imports, the fixtures beside those modules, the examples, and the files that its suite declares. `files` are all
 * files of the checkout. The sources of the deployed bundles are not included, because the template identifies the
 * bundles by their contents.
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
    // Fixtures that belong to no folder with modules, which are the examples, count for all tests.
    const found = ['.', ...homes].flatMap((folder) => fixtures.get(folder) ?? []);
    const inFolder = (folder: string) => files.filter((path) => path.startsWith(folder) && !isUnitTest(path));
    const read = reads.flatMap((path) => (path.endsWith('/') ? inFolder(path) : path));
    return [...new Set([...modules, ...found, ...ALWAYS, ...read])].toSorted();
  };
};
