import { spawn } from 'node:child_process';
import { existsSync, globSync } from 'node:fs';
import { join, relative, resolve, sep } from 'node:path';
import { readClosures } from '../conformance/suites/closure.ts';
import { ROOT } from '../paths.ts';

/** Tests that other commands run, as in vitest.config.ts. */
const ELSEWHERE = ['test/architecture/**', 'test/conformance/**'];

const isBelow = (path: string, folder: string): boolean => path === folder || path.startsWith(`${folder}/`);

/**
 * Determines once which modules the tests in `test/` import, directly or indirectly. The result finds the test files
 * that cover the code in files and folders (paths relative to the root): those in them, and those in `test/` that
 * import any of it.
 */
export const makeTestsOf = async (root: string): Promise<(places: readonly string[]) => string[]> => {
  const find = (pattern: string, exclude: string[] = []): string[] =>
    globSync(pattern, { cwd: root, exclude }).map((path) => path.split(sep).join('/'));
  const crossing = find('test/**/*.test.ts', ELSEWHERE);
  const closureOf = await readClosures(root, crossing);
  return (places) => {
    const judging = crossing.filter((file) =>
      closureOf(file).some((module) => places.some((place) => isBelow(module, place))),
    );
    const beside = places.flatMap((place) => find(`${place}/**/*.test.ts`, ELSEWHERE));
    return [...new Set([...beside, ...judging])].toSorted();
  };
};

/** The path from the root, or undefined if it is no file or folder of the checkout. */
const placeOf = (argument: string): string | undefined => {
  const path = resolve(argument);
  const place = relative(ROOT, path).split(sep).join('/');
  return existsSync(path) && place !== '' && !place.startsWith('..') ? place : undefined;
};

/**
 * Folders, and files that are not tests, are replaced by the tests that cover them. Everything else is passed to
 * vitest.
 */
const widen = async (args: readonly string[]): Promise<string[]> => {
  const firstOption = args.findIndex((arg) => arg.startsWith('-'));
  const named = firstOption < 0 ? args : args.slice(0, firstOption);
  const places = named.flatMap((argument) => (argument.endsWith('.test.ts') ? [] : (placeOf(argument) ?? [])));
  if (places.length === 0) return [...args];
  const others = named.filter((argument) => argument.endsWith('.test.ts') || placeOf(argument) === undefined);
  const found = (await makeTestsOf(ROOT))(places);
  if (found.length === 0) throw new Error(`no test imports anything of ${places.join(', ')}`);
  return [...found, ...others, ...(firstOption < 0 ? [] : args.slice(firstOption))];
};

/** Runs the tests that need nothing but Node.js. Arguments are vitest's, or folders. Resolves to the exit code. */
export const test = async (args: readonly string[]): Promise<number> => {
  const vitest = join(ROOT, 'node_modules', 'vitest', 'vitest.mjs');
  const child = spawn(process.execPath, [vitest, 'run', ...(await widen(args))], { cwd: ROOT, stdio: 'inherit' });
  return new Promise((resolve_, reject) => {
    child.on('error', reject);
    child.on('close', (code) => resolve_(code ?? 1));
  });
};
