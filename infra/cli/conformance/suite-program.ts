/** Programs of the suites that are ours: built from a folder of the suite, with the modules that its go.sum pins. */
import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, readdirSync, readFileSync, renameSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { cacheFor, type RunTool, runTool } from './run-tool.ts';

export interface SuiteProgram {
  /** As in "the client-go suite". */
  suite: string;
  /** The folder of its source. */
  source: string;
  /** Its location; by default the cache, under the name of the suite. */
  directory?: string;
}

/** A separate program for each source, so that an old one is never used. */
const hashOf = (source: string): string => {
  const hash = createHash('sha256');
  for (const file of readdirSync(source).toSorted()) hash.update(file).update(readFileSync(join(source, file)));
  return hash.digest('hex').slice(0, 16);
};

interface Built extends SuiteProgram {
  /** What is built, below `place`, by its name there. */
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

/** Builds missing programs; all or nothing, so that an interrupted build leaves nothing that looks finished. */
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
 * The path of the program, which is built once for each state of its source; `say` reports it. Throws an Error that
 * says what to install if it cannot.
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
 * The same for several programs of one source, by name: `.` is the source itself, and what its go.mod names as tools can
 * be built as well. The path of the folder that holds them.
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
