/**
 * Provides kubeadm for several Kubernetes minors, each built once. The bootstrap suite checks the generated files with
 * it.
 */
import { existsSync } from 'node:fs';
import { delimiter, join } from 'node:path';
import { buildGoProgram, type GoProgram } from './go-program.ts';
import { cacheFor, type RunTool, runTool } from './run-tool.ts';

/**
 * The oldest supported one, the first with `kubeadm.k8s.io/v1beta4`, and the newest whose modules are all available.
 */
export const KUBEADM_VERSIONS = ['1.28.15', '1.31.4', '1.35.4'] as const;

const MAIN = `package main

import (
	"fmt"
	"os"

	"k8s.io/kubernetes/cmd/kubeadm/app"
)

func main() {
	if err := app.Run(); err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
}
`;

const programOf = (version: string): GoProgram => {
  const module = `k8s.io/kubernetes@v${version}`;
  const [major = '', minor = ''] = version.split('.');
  return {
    name: 'kubeadm',
    main: MAIN,
    modules: [module],
    siblingsOf: { module, version: `v0.${version.slice(2)}` },
    variables: {
      'k8s.io/component-base/version.gitVersion': `v${version}`,
      'k8s.io/component-base/version.gitMajor': major,
      'k8s.io/component-base/version.gitMinor': minor,
    },
  };
};

/** An existing kubeadm. */
export interface Kubeadm {
  version: string;
  path: string;
}

/** The format in which the suite's environment lists them. */
export const writeKubeadms = (programs: readonly Kubeadm[]): string =>
  programs.map(({ version, path }) => `${version}=${path}`).join(delimiter);

export const readKubeadms = (text = ''): Kubeadm[] =>
  text
    .split(delimiter)
    .filter(Boolean)
    .map((entry) => {
      const [version = '', ...path] = entry.split('=');
      return { version, path: path.join('=') };
    });

export interface ProvideKubeadmOptions {
  directoryOf?(version: string): string;
  run?: RunTool;
  /**
   * Builds only the newest one, and uses the others only if they exist: for environments that keep no files between
   * runs.
   */
  fewest?: boolean;
}

/**
 * The programs, oldest first. Missing ones are built, which takes a few minutes each and is reported to `say`. Throws
 * an Error that says what to install if that fails.
 */
export const provideKubeadm = (
  say: (line: string) => void,
  {
    directoryOf = (version) => cacheFor(`kubeadm-${version}`),
    run = runTool,
    fewest = process.env.CI === 'true',
  }: ProvideKubeadmOptions = {},
): Kubeadm[] => {
  const programs = KUBEADM_VERSIONS.map((version) => ({ version, path: join(directoryOf(version), 'kubeadm') }));
  const missing = programs.filter(({ path }) => !existsSync(path)).map(({ version }) => version);
  const built = fewest ? missing.filter((version) => version === KUBEADM_VERSIONS.at(-1)) : missing;
  if (built.length > 0 && run('go', ['version']).status !== 0) {
    throw new Error('the bootstrap suite needs Go to build kubeadm: see https://go.dev/dl/');
  }
  for (const version of built) {
    say(`there is no kubeadm ${version}: building one into ${directoryOf(version)}, once`);
    buildGoProgram(programOf(version), directoryOf(version), run);
  }
  for (const version of missing.filter((other) => !built.includes(other))) {
    say(`there is no kubeadm ${version}: left out, since only the newest is built here`);
  }
  return programs.filter(({ version }) => built.includes(version) || !missing.includes(version));
};
