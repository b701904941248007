/**
 * Provides the AWS CLI that the conformance suites need: the one on the PATH, or one that is installed once from its
 * package.
 */
import { join } from 'node:path';
import { cacheFor, type RunTool, runTool } from './run-tool.ts';
import { installPython } from './virtual-environment.ts';

/** The version of the package awscli. */
const VERSION = '1.45.11';

const works = (command: string, run: RunTool): boolean => run(command, ['--version']).status === 0;

/**
 * The directory of an AWS CLI that is not on the PATH, or undefined if there is a working one on the PATH. If there is
 * none, it is installed into a Python virtual environment and reported to `say`. Throws an Error that says what to
 * install if that fails.
 */
export const provideAws = (
  say: (line: string) => void,
  directory: string = cacheFor(`awscli-${VERSION}`),
  run: RunTool = runTool,
): string | undefined => {
  if (works('aws', run)) return undefined;
  const programs = join(directory, 'bin');
  if (works(join(programs, 'aws'), run)) return programs;
  if (!works('python3', run)) {
    throw new Error('the conformance suites need the AWS CLI on the PATH, or Python 3 to install one');
  }
  say(`there is no AWS CLI: installing one into ${directory}, once`);
  installPython([`awscli==${VERSION}`], directory, run);
  if (!works(join(programs, 'aws'), run))
    throw new Error(`the AWS CLI that was installed in ${directory} does not run`);
  return programs;
};
