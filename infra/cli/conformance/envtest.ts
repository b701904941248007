/**
 * Provides kube-apiserver and etcd, with which the differential suite and the bench compare: existing ones, or built
 * once.
 */
import { accessSync, constants } from 'node:fs';
import { join } from 'node:path';
import { buildGoProgram, type GoProgram } from './go-program.ts';
import { cacheFor, type RunTool, runTool } from './run-tool.ts';

/** The version of Kubernetes; its libraries have the same minor and patch version. */
const VERSION = '1.35.4';

/** The etcd that this Kubernetes is built with. */
export const ETCD_VERSION = '3.6.5';

/** The variable with the location of the programs, as in controller-runtime's envtest. */
const VARIABLE = 'KUBEBUILDER_ASSETS';

const PROGRAMS: readonly GoProgram[] = [
  {
    name: 'etcd',
    main: `package main

import (
	"os"

	"go.etcd.io/etcd/server/v3/etcdmain"
)

func main() {
	etcdmain.Main(os.Args)
}
`,
    modules: [`go.etcd.io/etcd/server/v3@v${ETCD_VERSION}`],
  },
  {
    name: 'kube-apiserver',
    main: `package main

import (
	"os"

	"k8s.io/component-base/cli"
	"k8s.io/kubernetes/cmd/kube-apiserver/app"
)

func main() {
	os.Exit(cli.Run(app.NewAPIServerCommand()))
}
`,
    modules: [`k8s.io/kubernetes@v${VERSION}`],
    siblingsOf: { module: `k8s.io/kubernetes@v${VERSION}`, version: `v0.${VERSION.slice(2)}` },
    variables: {
      'k8s.io/component-base/version.gitVersion': `v${VERSION}`,
      'k8s.io/component-base/version.gitMajor': '1',
      'k8s.io/component-base/version.gitMinor': VERSION.split('.')[1] ?? '',
    },
  },
];

const isProgram = (path: string): boolean => {
  try {
    accessSync(path, constants.X_OK);
    return true;
  } catch {
    return false;
  }
};

/**
 * The directory of kube-apiserver and etcd: KUBEBUILDER_ASSETS if it is set, otherwise one outside the checkout. They
 * are built there once, which takes many minutes and is reported to `say`. Throws an Error that says what is missing if
 * that fails.
 */
export const provideEnvtest = (
  say: (line: string) => void,
  directory: string = cacheFor(`envtest-${VERSION}`),
  run: RunTool = runTool,
  given: string | undefined = process.env[VARIABLE],
): string => {
  const missingIn = (place: string) => PROGRAMS.filter(({ name }) => !isProgram(join(place, name)));
  if (given) {
    const missing = missingIn(given).map(({ name }) => name);
    if (missing.length > 0) throw new Error(`${VARIABLE} names ${given}, where ${missing.join(' and ')} is missing`);
    return given;
  }
  const missing = missingIn(directory);
  if (missing.length > 0 && run('go', ['version']).status !== 0) {
    throw new Error(`kube-apiserver and etcd are needed: set ${VARIABLE}, or install Go to build them`);
  }
  for (const program of missing) {
    say(`there is no ${program.name}: building one into ${directory}, once`);
    buildGoProgram(program, directory, run);
  }
  return directory;
};
