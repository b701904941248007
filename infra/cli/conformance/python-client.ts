/** Provides the official Python client for the conformance suites, installed once in a separate virtual environment. */
import { join } from 'node:path';
import { cacheFor, type RunTool, runTool } from './run-tool.ts';
import { providePython } from './virtual-environment.ts';

/**
 * The version of the package kubernetes. Its major version is the minor version of the Kubernetes from which it was
 * generated.
 */
const VERSION = '37.0.2';

/** The path of a Python that has the client. Throws an Error that says what to install if that fails. */
export const providePythonClient = (
  say: (line: string) => void,
  directory: string = cacheFor(`python-client-${VERSION}`),
  run: RunTool = runTool,
): string => {
  const libraries = { title: 'the Python client', packages: { kubernetes: VERSION }, directory };
  return join(providePython(libraries, say, run), 'bin', 'python');
};
