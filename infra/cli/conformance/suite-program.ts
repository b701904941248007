/** Builds the suites' own programs, from a folder of the suite, with the modules that its go.sum pins. */
import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, readdirSync, readFileSync, renameSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { cacheFor, type RunTool, runTool } from './run-tool.ts';

export interface SuiteProgram {
  /** As in "the client-go suite". */
  suite: string;
  /** The folder of its sources. */
  source: string;
  /** Where it is built; by default in the cache, under the name of the suite. */
  directory?: string;
}

/** Each state of the sources has a separate program, so that an outdated one is never used. */
const hashOf = (source: string): string => {
  const hash = createHash('sha256');
  for (const file of readdirSync(source).toSorted()) hash.update(file).update(readFileSync(join(source, file)));
  return hash.digest('hex').slice(0, 16);
};

interface Built extends SuiteProgram {
  /** The packages to build, by the names that they get in `place`. */
  packages: Readonly<Record<string, string>>;
  place: string;
}

const build = ({ suite, source, packages, place }: Built, run: RunTool): void => {
  const env = { GOFLAGS: '-mod=readonly', CGO_ENABLED: '0' };
  for (const [name, path] of Object.entries(packages)) {
    const args = ['-n', '19', 'go', 'build', '-ldflags=-s -w', '-o', join(place, name), path];
    const { status, stderr } = run('nice', args, { cwd: source, env });
    if (status !== 0) throw new Error(`the program of the ${suite} suite could not be built:\n${stderr.trim()}`);
  }
};

/**
 * Builds missing programs. They are moved at the end, so that an interrupted build leaves nothing that looks finished.
 */
const provide = (
  { suite, source, directory = cacheFor(`${suite}-suite`) }: SuiteProgram,
  say: (line: string) => void,
  run: RunTool,
  make: (directory: string, unfinished: string) => string,
): string => {
  const finished = join(directory, hashOf(source));
  if (existsSync(finished)) return finished;
  if (run('go', ['version']).status !== 0)
    throw new Error(`the ${suite} suite needs Go to build its program: see https://go.dev/dl/`);
  say(`building the program of the ${suite} suite into ${directory}, once`);
  mkdirSync(directory, { recursive: true });
  renameSync(make(directory, `${hashOf(source)}.new`), finished);
  return finished;
};

/**
 * The path of the program, which is built once for each state of its sources and reported to `say`. Throws an Error
 * that says what to install if that fails.
 */
export const provideSuiteProgram = (
  program: SuiteProgram,
  say: (line: string) => void,
  run: RunTool = runTool,
): string =>
  provide(program, say, run, (place, name) => {
    build({ ...program, packages: { [name]: '.' }, place }, run);
    return join(place, name);
  });

/**
 * The same for several programs from the same sources, by name: `.` is the source folder itself, and the tools in its
 * go.mod can be built too. Returns the path of their folder.
 */
export const provideSuitePrograms = (
  program: SuiteProgram & { packages: Readonly<Record<string, string>> },
  say: (line: string) => void,
  run: RunTool = runTool,
): string =>
  provide(program, say, run, (directory, name) => {
    const place = join(directory, name);
    rmSync(place, { recursive: true, force: true });
    mkdirSync(place);
    build({ ...program, place }, run);
    return place;
  });
