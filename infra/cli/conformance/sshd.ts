/** OpenSSH's server, to which the provider of hosts connects: Debian's package, unpacked and not installed. */
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { unpackDebian } from './debian.ts';
import { cacheFor, type RunTool, runTool } from './run-tool.ts';

/**
 * The directory of the program and its libraries, as below a root folder. Unpacks it there once if missing; `say`
 * reports it. Throws an Error with the reason if it cannot.
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
