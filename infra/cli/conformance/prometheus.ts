/** Prometheus and its promtool: Debian's package, unpacked and not installed. */
import { mkdirSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { cacheFor, type RunTool, runTool } from './run-tool.ts';

const PACKAGE = 'prometheus';

/**
 * The directory with both programs. Unpacks the package where they are missing, once, and reports that to `say`. Throws
 * an Error that says why it cannot.
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
  mkdirSync(directory, { recursive: true });
  const demand = (command: string, args: string[]): void => {
    const { status, stderr } = run(command, args, { cwd: directory });
    if (status !== 0) throw new Error(`${command} ${args.join(' ')}: ${stderr.trim()}`);
  };
  demand('apt-get', ['download', PACKAGE]);
  const archive = readdirSync(directory).find((name) => name.endsWith('.deb'));
  demand('dpkg', ['-x', archive ?? `${PACKAGE}.deb`, '.']);
  if (works()) return programs;
  throw new Error(`the ${PACKAGE} that was unpacked in ${directory} does not run`);
};
