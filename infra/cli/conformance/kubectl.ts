/**
 * Provides the kubectl that the conformance suites need: the one on the PATH, or one that is built once from its
 * source.
 */
import { join } from 'node:path';
import { buildGoProgram, type GoProgram } from './go-program.ts';
import { cacheFor, type RunTool, runTool } from './run-tool.ts';

/** The version of the modules k8s.io/kubectl and k8s.io/component-base, which belongs to kubectl v1.34.1. */
const VERSION = '0.34.1';

/** Older ones lack features that the suites need, such as `--subresource` and SelfSubjectReviews. */
const OLDEST_MINOR = 28;

/** kubectl is a library with a small command; this is the command. */
const PROGRAM: GoProgram = {
  name: 'kubectl',
  main: `package main

import (
	"os"

	"k8s.io/component-base/cli"
	"k8s.io/kubectl/pkg/cmd"
)

func main() {
	os.Exit(cli.Run(cmd.NewDefaultKubectlCommand()))
}
`,
  modules: [`k8s.io/kubectl@v${VERSION}`, `k8s.io/component-base@v${VERSION}`],
  variables: { 'k8s.io/component-base/version.gitVersion': `v1.${VERSION.slice(2)}` },
};

/** The minor version of a working kubectl; otherwise undefined. */
const minorOf = (command: string, run: RunTool): number | undefined => {
  const { status, stdout } = run(command, ['version', '--client', '-o', 'json']);
  if (status !== 0) return undefined;
  const { clientVersion } = JSON.parse(stdout) as { clientVersion?: { gitVersion?: string } };
  const minor = Number(/^v1\.(\d+)/.exec(clientVersion?.gitVersion ?? '')?.[1]);
  return Number.isNaN(minor) ? undefined : minor;
};

const isGood = (command: string, run: RunTool): boolean => (minorOf(command, run) ?? 0) >= OLDEST_MINOR;

/**
 * The directory of a kubectl that is not on the PATH, or undefined if there is a suitable one on the PATH. If there is
 * none, it is built once, which takes a few minutes and is reported to `say`. Throws an Error that says what to install
 * if that fails.
 */
export const provideKubectl = (
  say: (line: string) => void,
  directory: string = cacheFor(`kubectl-${VERSION}`),
  run: RunTool = runTool,
): string | undefined => {
  if (isGood('kubectl', run)) return undefined;
  const built = join(directory, 'kubectl');
  if (isGood(built, run)) return directory;
  if (run('go', ['version']).status !== 0)
    throw new Error(
      `the conformance suites need kubectl 1.${OLDEST_MINOR} or newer on the PATH, or Go to build one: ` +
        'see https://kubernetes.io/docs/tasks/tools/ or https://go.dev/dl/',
    );
  say(`there is no kubectl 1.${OLDEST_MINOR} or newer: building one into ${directory}, once`);
  buildGoProgram(PROGRAM, directory, run);
  if (!isGood(built, run)) throw new Error(`the kubectl that was built in ${directory} does not run`);
  return directory;
};
