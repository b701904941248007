import { mkdirSync, readdirSync } from 'node:fs';
import type { RunTool } from './run-tool.ts';

/** The packages that apt would install, from the output of its simulation. */
const missingPackages = (simulated: string): string[] =>
  [...simulated.matchAll(/^Inst (\S+)/gm)].map(([, name = '']) => name);

export interface Unpacking {
  directory: string;
  run: RunTool;
  /** Includes the libraries that are missing on this machine. */
  withMissing?: boolean;
}

/**
 * Downloads a Debian package and unpacks it in a directory without installing it. Throws an Error with apt's message if
 * that fails.
 */
export const unpackDebian = (name: string, { directory, run, withMissing = false }: Unpacking): void => {
  mkdirSync(directory, { recursive: true });
  const demand = (command: string, args: string[]): string => {
    const { status, stdout, stderr } = run(command, args, { cwd: directory });
    if (status !== 0) throw new Error(`${command} ${args.join(' ')}: ${stderr.trim()}`);
    return stdout;
  };
  // If the package itself is installed, the simulation does not list it; its archive is unpacked all the same.
  const missing = withMissing
    ? missingPackages(demand('apt-get', ['install', '--simulate', '--no-install-recommends', name]))
    : [];
  demand('apt-get', ['download', ...new Set([name, ...missing])]);
  const archives = readdirSync(directory).filter((file) => file.endsWith('.deb'));
  if (archives.length === 0) throw new Error(`apt-get downloaded no archive of ${name} into ${directory}`);
  for (const archive of archives) demand('dpkg', ['-x', archive, '.']);
};
