/** Python packages in virtual environments of their own, which leave the computer's Python as it is. */
import { join } from 'node:path';
import type { RunTool } from './run-tool.ts';

/**
 * Installs packages, such as `awscli==1.45.11`, into a new virtual environment in `directory`. Throws an Error with what
 * was said where it cannot.
 */
export const installPython = (packages: readonly string[], directory: string, run: RunTool): void => {
  for (const [command, args] of [
    ['python3', ['-m', 'venv', '--clear', directory]],
    [join(directory, 'bin', 'pip'), ['install', '--quiet', ...packages]],
  ] as const) {
    const { status, stderr } = run(command, args);
    if (status !== 0)
      throw new Error(`${packages.join(' ')} could not be installed: ${command} ${args.join(' ')}:\n${stderr.trim()}`);
  }
};
