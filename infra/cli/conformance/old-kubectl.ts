/** Provides an old kubectl, which does not support OpenAPI v3: Debian's package, unpacked but not installed. */
import { join } from 'node:path';
import { unpackDebian } from './debian.ts';
import { cacheFor, type RunTool, runTool } from './run-tool.ts';

const PACKAGE = 'kubernetes-client';
const isOld = (program: string, run: RunTool): boolean => {
  const { status, stdout } = run(program, ['version', '--client', '-o', 'json']);
  return status === 0 && /"gitVersion": *"v1\.20\./.test(stdout);
};

/** The path of a kubectl 1.20. Throws an Error with the reason if it cannot be provided. */
export const provideOldKubectl = (
  say: (line: string) => void,
  directory: string = cacheFor(`${PACKAGE}-1.20`),
  run: RunTool = runTool,
): string => {
  const program = join(directory, 'usr', 'bin', 'kubectl');
  if (isOld(program, run)) return program;
  say(`unpacking Debian's ${PACKAGE} into ${directory}, once`);
  unpackDebian(PACKAGE, { directory, run });
  if (isOld(program, run)) return program;
  throw new Error(`Debian's ${PACKAGE} holds no kubectl 1.20 any more`);
};
