/**
 * Provides a headless browser: Debian's chromium-headless-shell with the libraries that are missing on this computer,
 * unpacked but not installed.
 */
import { join } from 'node:path';
import { unpackDebian } from './debian.ts';
import { cacheFor, type RunTool, runTool } from './run-tool.ts';

const PACKAGE = 'chromium-headless-shell';

/** What is needed to start the browser. */
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

/**
 * Returns its directory, for `chromiumIn`. Unpacks it there once if missing. Throws an Error with the reason if that
 * fails.
 */
export const provideChromium = (
  say: (line: string) => void,
  directory: string = cacheFor('chromium'),
  run: RunTool = runTool,
): string => {
  if (works(directory, run)) return directory;
  say(`unpacking Debian's ${PACKAGE} into ${directory}, once`);
  unpackDebian(PACKAGE, { directory, run, withMissing: true });
  if (works(directory, run)) return directory;
  throw new Error(`the ${PACKAGE} that was unpacked in ${directory} does not run`);
};
