/** The official Python client, which the conformance suites need: installed once, with a Python of its own. */
import { join } from 'node:path';
import { cacheFor, type RunTool, runTool } from './run-tool.ts';
import { installPython } from './virtual-environment.ts';

/** Of the package kubernetes; its major version is the minor version of the Kubernetes that it was made from. */
const VERSION = '37.0.2';

const CHECK = `import kubernetes; assert kubernetes.__version__ == "${VERSION}"`;

/**
 * The path of a Python that has the client. Makes a virtual environment for it where there is none; `say` reports it.
 * Throws an Error that says what to install where it cannot.
 */
export const providePythonClient = (
  say: (line: string) => void,
  directory: string = cacheFor(`python-client-${VERSION}`),
  run: RunTool = runTool,
): string => {
  const python = join(directory, 'bin', 'python');
  const works = (): boolean => run(python, ['-c', CHECK]).status === 0;
  if (works()) return python;
  if (run('python3', ['--version']).status !== 0)
    throw new Error('the suite of the Python client needs Python 3 to install it');
  say(`installing the Python client into ${directory}, once`);
  installPython([`kubernetes==${VERSION}`], directory, run);
  if (!works()) throw new Error(`the Python client that was installed in ${directory} does not run`);
  return python;
};
