/**
 * Provides OpenSSH's server, to which the provider for hosts connects: Debian's package, unpacked but not installed.
 */
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { unpackDebian } from './debian.ts';
import { cacheFor, type RunTool, runTool } from './run-tool.ts';

/**
 * The directory with the program and its libraries, which has the structure of a root file system. If it is missing, it
 * is unpacked there once and reported to `say`. Throws an Error with the reason if that fails.
 */
export const provideSshd = (
  say: (line: string) => void,
  directory: string = cacheFor('sshd'),
  run: RunTool = runTool,
): string => {
  if (existsSync(join(directory, 'usr', 'sbin', 'sshd'))) return directory;
  say(`unpacking Debian's openssh-server into ${directory}, once`);
  unpackDebian('openssh-server', { directory, run, withMissing: true });
  if (existsSync(join(directory, 'usr', 'sbin', 'sshd'))) return directory;
  throw new Error(`the openssh-server that was unpacked in ${directory} has no sshd`);
};
