/** Provides Prometheus and its promtool: Debian's package, unpacked but not installed. */
import { join } from 'node:path';
import { unpackDebian } from './debian.ts';
import { cacheFor, type RunTool, runTool } from './run-tool.ts';

const PACKAGE = 'prometheus';

/**
 * The directory with both programs. If they are missing, the package is unpacked once and reported to `say`. Throws an
 * Error with the reason if that fails.
 */
export const providePrometheus = (
  say: (line: string) => void,
  directory: string = cacheFor(PACKAGE),
  run: RunTool = runTool,
): string => {
  const programs = join(directory, 'usr', 'bin');
  const works = (): boolean => run(join(programs, 'promtool'), ['--version']).status === 0;
  if (works()) return programs;
  say(`unpacking Debian's ${PACKAGE} into ${directory}, once`);
  unpackDebian(PACKAGE, { directory, run });
  if (works()) return programs;
  throw new Error(`the ${PACKAGE} that was unpacked in ${directory} does not run`);
};
