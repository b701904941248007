/** A browser without a window: Debian's chromium-headless-shell with the libraries that it lacks here, unpacked and not installed. */
import { mkdirSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { cacheFor, type RunTool, runTool } from './run-tool.ts';

const PACKAGE = 'chromium-headless-shell';

/** How the browser is started. */
export interface Chromium {
  program: string;
  /** For LD_LIBRARY_PATH. */
  libraries: string;
}

export const chromiumIn = (directory: string): Chromium => {
  const libraries = ['x86_64-linux-gnu', 'aarch64-linux-gnu'].flatMap((machine) => {
    const folder = join(directory, 'usr', 'lib', machine);
    return [folder, join(folder, 'pulseaudio')];
  });
  return { program: join(directory, 'usr', 'lib', 'chromium', PACKAGE), libraries: libraries.join(':') };
};

const works = (directory: string, run: RunTool): boolean => {
  const { program, libraries } = chromiumIn(directory);
  return run(program, ['--no-sandbox', '--version'], { env: { LD_LIBRARY_PATH: libraries } }).status === 0;
};

/** The packages that an installation would add, by apt's simulation of it. */
const missingPackages = (simulated: string): string[] =>
  [...simulated.matchAll(/^Inst (\S+)/gm)].map(([, name = '']) => name);

/**
 * The directory that it lies in, for `chromiumIn`. Unpacks it there where it is not, once. Throws an Error that says why
 * where it cannot.
 */
export const provideChromium = (
  say: (line: string) => void,
  directory: string = cacheFor('chromium'),
  run: RunTool = runTool,
): string => {
  if (works(directory, run)) return directory;
  say(`unpacking Debian's ${PACKAGE} into ${directory}, once`);
  mkdirSync(directory, { recursive: true });
  const demand = (command: string, args: string[]): string => {
    const { status, stdout, stderr } = run(command, args, { cwd: directory });
    if (status !== 0) throw new Error(`${command} ${args.join(' ')}: ${stderr.trim()}`);
    return stdout;
  };
  const simulated = demand('apt-get', ['install', '--simulate', '--no-install-recommends', PACKAGE]);
  // An installed package is found where it is; only its archive is unpacked here.
  demand('apt-get', ['download', ...new Set([PACKAGE, ...missingPackages(simulated)])]);
  for (const archive of readdirSync(directory).filter((name) => name.endsWith('.deb')))
    demand('dpkg', ['-x', archive, '.']);
  if (works(directory, run)) return directory;
  throw new Error(`the ${PACKAGE} that was unpacked in ${directory} does not run`);
};
