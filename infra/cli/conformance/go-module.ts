/** Modules from which suites read facts, such as upstream's CustomResourceDefinitions. No part of them is committed. */
import { tmpdir } from 'node:os';
import { type RunTool, runTool } from './run-tool.ts';

/**
 * The folder of a module, such as `sigs.k8s.io/cluster-api@v1.14.2`, in Go's module cache. Go downloads the module if
 * it is missing. Throws an Error with Go's message if that fails.
 */
export const folderOfModule = (module: string, run: RunTool = runTool): string => {
  const options = { cwd: tmpdir(), env: { GOFLAGS: '', GOWORK: 'off' } };
  const { stdout, stderr } = run('go', ['mod', 'download', '-json', module], options);
  const { Dir, Error: reason } = JSON.parse(stdout || '{}') as { Dir?: string; Error?: string };
  if (!Dir) throw new Error(`${module} could not be downloaded: ${reason ?? stderr}`);
  return Dir;
};
