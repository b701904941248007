/** An old kubectl, which knows nothing of OpenAPI v3: the one of Debian's package, unpacked and not installed. */
import { mkdirSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { cacheFor, type RunTool, runTool } from './run-tool.ts';

const PACKAGE = 'kubernetes-client';
const isOld = (program: string, run: RunTool): boolean => {
  const { status, stdout } = run(program, ['version', '--client', '-o', 'json']);
  return status === 0 && /"gitVersion": *"v1\.20\./.test(stdout);
};

/** The path of a kubectl 1.20. Throws an Error that says why there is none. */
export const provideOldKubectl = (
  say: (line: string) => void,
  directory: string = cacheFor(`${PACKAGE}-1.20`),
  run: RunTool = runTool,
): string => {
  const program = join(directory, 'usr', 'bin', 'kubectl');
  if (isOld(program, run)) return program;
  say(`unpacking Debian's ${PACKAGE} into ${directory}, once`);
  mkdirSync(directory, { recursive: true });
  const demand = (command: string, args: string[]): void => {
    const { status, stderr } = run(command, args, { cwd: directory });
    if (status !== 0) throw new Error(`${command} ${args.join(' ')}: ${stderr.trim()}`);
  };
  demand('apt-get', ['download', PACKAGE]);
  const archive = readdirSync(directory).find((name) => name.endsWith('.deb'));
  demand('dpkg', ['-x', archive ?? `${PACKAGE}.deb`, '.']);
  if (isOld(program, run)) return program;
  throw new Error(`Debian's ${PACKAGE} holds no kubectl 1.20 any more`);
};
