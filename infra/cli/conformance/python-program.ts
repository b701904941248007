/** Provides programs from Python packages, each installed once in a separate virtual environment. */
import { join } from 'node:path';
import { cacheFor, type RunTool, runTool } from './run-tool.ts';
import { installPython } from './virtual-environment.ts';

export interface PythonProgram {
  name: string;
  version: string;
  /** The distribution whose version is checked, and its further dependencies. */
  packages: readonly string[];
  /** Its command in the virtual environment. */
  program: string;
}

const isInstalled = ({ name, version }: PythonProgram, directory: string, run: RunTool): boolean => {
  const check = `import importlib.metadata as m; assert m.version("${name}") == "${version}"`;
  return run(join(directory, 'bin', 'python'), ['-c', check]).status === 0;
};

/**
 * The path of a program's command. A missing virtual environment is created and reported to `say`. Throws an Error that
 * says what to install if that fails.
 */
export const providePythonProgram = (
  wanted: PythonProgram,
  say: (line: string) => void,
  directory: string = cacheFor(`${wanted.name}-${wanted.version}`),
  run: RunTool = runTool,
): string => {
  const program = join(directory, 'bin', wanted.program);
  if (isInstalled(wanted, directory, run)) return program;
  if (run('python3', ['--version']).status !== 0) throw new Error(`Python 3 is needed to install ${wanted.name}`);
  say(`installing ${wanted.name} into ${directory}, once`);
  installPython(wanted.packages, directory, run);
  if (!isInstalled(wanted, directory, run))
    throw new Error(`the ${wanted.name} that was installed in ${directory} does not run`);
  return program;
};
