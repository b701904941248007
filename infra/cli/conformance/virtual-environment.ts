/** Installs Python packages in separate virtual environments, without changing the computer's Python. */
import { join } from 'node:path';
import { type RunTool, runTool } from './run-tool.ts';

/**
 * Installs packages, such as `awscli==1.45.11`, into a new virtual environment in `directory`. Throws an Error with
 * pip's output if that fails.
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

export interface PythonLibraries {
  /** As in "installing the Python client". */
  title: string;
  /** Versions by the name of the package, which is also the name of the imported module. */
  packages: Readonly<Record<string, string>>;
  directory: string;
}

const checkOf = (packages: PythonLibraries['packages']): string =>
  Object.entries(packages)
    .flatMap(([name, version]) => [
      `import ${name}, importlib.metadata`,
      `assert importlib.metadata.version("${name}") == "${version}"`,
    ])
    .join('\n');

/**
 * The folder of a virtual environment that has these versions of the libraries. A missing one is created and reported
 * to `say`. Throws an Error that says what to install if that fails.
 */
export const providePython = (
  { title, packages, directory }: PythonLibraries,
  say: (line: string) => void,
  run: RunTool = runTool,
): string => {
  const works = (): boolean => run(join(directory, 'bin', 'python'), ['-c', checkOf(packages)]).status === 0;
  if (works()) return directory;
  if (run('python3', ['--version']).status !== 0) throw new Error(`installing ${title} needs Python 3`);
  say(`installing ${title} into ${directory}, once`);
  installPython(
    Object.entries(packages).map(([name, version]) => `${name}==${version}`),
    directory,
    run,
  );
  if (!works()) throw new Error(`${title}, as installed in ${directory}, does not run`);
  return directory;
};
