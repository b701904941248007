/** The official Python client, which the conformance suites need: installed once, with a Python of its own. */
import { join } from 'node:path';
import { cacheFor, type RunTool, runTool } from './run-tool.ts';
import { providePython } from './virtual-environment.ts';

/** Of the package kubernetes; its major version is the minor version of the Kubernetes that it was generated from. */
const VERSION = '37.0.2';

/** The path of a Python that has the client. Throws an Error that says what to install if it cannot be installed. */
export const providePythonClient = (
  say: (line: string) => void,
  directory: string = cacheFor(`python-client-${VERSION}`),
  run: RunTool = runTool,
): string => {
  const libraries = { title: 'the Python client', packages: { kubernetes: VERSION }, directory };
  return join(providePython(libraries, say, run), 'bin', 'python');
};
