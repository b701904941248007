/**
 * Provides the clusterctl that the conformance suites need: the one on the PATH, or one that is built once from its
 * module.
 */
import { mkdirSync, renameSync } from 'node:fs';
import { join } from 'node:path';
import { cacheFor, type RunTool, runTool } from './run-tool.ts';

const MODULE = 'sigs.k8s.io/cluster-api/cmd/clusterctl';
const VERSION = '1.13.6';

const works = (command: string, run: RunTool): boolean => run(command, ['version', '-o', 'short']).status === 0;

/** Disables the version check, for which clusterctl queries its release page at each start. */
export const CLUSTERCTL_ENVIRONMENT = { CLUSTERCTL_DISABLE_VERSIONCHECK: 'true' };

const build = (directory: string, run: RunTool): void => {
  const unfinished = join(directory, 'new');
  mkdirSync(unfinished, { recursive: true });
  const env = { GOBIN: unfinished, GOFLAGS: '-mod=mod', CGO_ENABLED: '0' };
  const { status, stderr } = run('go', ['install', '-ldflags=-s -w', `${MODULE}@v${VERSION}`], { env });
  if (status !== 0)
    throw new Error(`clusterctl could not be built: go install ${MODULE}@v${VERSION}:\n${stderr.trim()}`);
  // Moved at the end, so that an interrupted build leaves nothing that looks finished.
  renameSync(join(unfinished, 'clusterctl'), join(directory, 'clusterctl'));
};

/**
 * The directory of a clusterctl that is not on the PATH, or undefined if there is a working one on the PATH. If there
 * is none, it is built once, which takes a few minutes and is reported to `say`. Throws an Error that says what to
 * install if that fails.
 */
export const provideClusterctl = (
  say: (line: string) => void,
  directory: string = cacheFor(`clusterctl-${VERSION}`),
  run: RunTool = runTool,
): string | undefined => {
  if (works('clusterctl', run)) return undefined;
  const built = join(directory, 'clusterctl');
  if (works(built, run)) return directory;
  if (run('go', ['version']).status !== 0)
    throw new Error('the conformance suites need clusterctl on the PATH, or Go to build one: see https://go.dev/dl/');
  say(`there is no clusterctl: building one into ${directory}, once`);
  build(directory, run);
  if (!works(built, run)) throw new Error(`the clusterctl that was built in ${directory} does not run`);
  return directory;
};
