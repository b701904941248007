/** Programs of the suites that are ours: built from a folder of the suite, with the modules that its go.sum pins. */
import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, readdirSync, readFileSync, renameSync } from 'node:fs';
import { join } from 'node:path';
import { cacheFor, type RunTool, runTool } from './run-tool.ts';

export interface SuiteProgram {
  /** As in "the client-go suite". */
  suite: string;
  /** The folder of its source. */
  source: string;
  /** Where it is kept; by default the cache, under the name of the suite. */
  directory?: string;
}

/** Another program for another source, so that nobody tries an old one. */
const hashOf = (source: string): string => {
  const hash = createHash('sha256');
  for (const file of readdirSync(source).toSorted()) hash.update(file).update(readFileSync(join(source, file)));
  return hash.digest('hex').slice(0, 16);
};

/**
 * The path of the program, which is built once for each state of its source; `say` hears of it. Throws an Error that says
 * what to install where it cannot.
 */
export const provideSuiteProgram = (
  { suite, source, directory = cacheFor(`${suite}-suite`) }: SuiteProgram,
  say: (line: string) => void,
  run: RunTool = runTool,
): string => {
  const program = join(directory, hashOf(source));
  if (existsSync(program)) return program;
  if (run('go', ['version']).status !== 0)
    throw new Error(`the ${suite} suite needs Go to build its program: see https://go.dev/dl/`);
  say(`building the program of the ${suite} suite into ${directory}, once`);
  mkdirSync(directory, { recursive: true });
  const args = ['-n', '19', 'go', 'build', '-ldflags=-s -w', '-o', `${program}.new`, '.'];
  const env = { GOFLAGS: '-mod=readonly', CGO_ENABLED: '0' };
  const { status, stderr } = run('nice', args, { cwd: source, env });
  if (status !== 0) throw new Error(`the program of the ${suite} suite could not be built:\n${stderr.trim()}`);
  // Whole or not at all: an interrupted build leaves nothing that looks finished.
  renameSync(`${program}.new`, program);
  return program;
};
