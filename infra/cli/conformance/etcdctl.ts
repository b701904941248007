/**
 * Provides the etcdctl for the etcd in envtest.ts, built once. The etcd suite runs it like the pods of a control plane.
 */
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { ETCD_VERSION } from './envtest.ts';
import { buildGoProgram, type GoProgram } from './go-program.ts';
import { cacheFor, type RunTool, runTool } from './run-tool.ts';

const PROGRAM: GoProgram = {
  name: 'etcdctl',
  main: `package main

import "go.etcd.io/etcd/etcdctl/v3/ctlv3"

func main() {
	ctlv3.MustStart()
}
`,
  modules: [`go.etcd.io/etcd/etcdctl/v3@v${ETCD_VERSION}`],
};

/**
 * The path of the program, which is built if it is missing. Throws an Error that says what to install if that fails.
 */
export const provideEtcdctl = (
  say: (line: string) => void,
  directory: string = cacheFor(`etcdctl-${ETCD_VERSION}`),
  run: RunTool = runTool,
): string => {
  const path = join(directory, PROGRAM.name);
  if (existsSync(path)) return path;
  if (run('go', ['version']).status !== 0) {
    throw new Error('the etcd suite needs Go to build etcdctl: see https://go.dev/dl/');
  }
  say(`there is no etcdctl: building one into ${directory}, once`);
  buildGoProgram(PROGRAM, directory, run);
  return path;
};
