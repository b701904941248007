import { type ChildProcess, spawn, spawnSync } from 'node:child_process';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { writeKubeconfig } from '../management-api.ts';

/** The real kubectl on the PATH, with its own kubeconfig and cache. */
export interface Kubectl {
  /** The path of the kubeconfig. */
  readonly config: string;
  /** Runs kubectl until it exits. `input` is its standard input. */
  run(args: readonly string[], input?: string): Promise<Result>;
  /** Starts kubectl without waiting, for example for `get -w`. */
  start(args: readonly string[]): Running;
  dispose(): Promise<void>;
}

export interface Result {
  code: number;
  stdout: string;
  stderr: string;
}

export interface Running {
  child: ChildProcess;
  /** The standard output so far. */
  output(): string;
  ended: Promise<Result>;
}

/**
 * Whether kubectl is on the PATH. Suites are skipped without it, except in CI, where that would hide that nothing is
 * tested.
 */
export const hasKubectl = (): boolean => spawnSync('kubectl', ['version', '--client']).status === 0;

export const createKubectl = async (
  server: string,
  program = 'kubectl',
  variables: Record<string, string> = {},
): Promise<Kubectl> => {
  const home = await mkdtemp(join(tmpdir(), 'windlass-kubectl-'));
  const config = join(home, 'kubeconfig');
  writeKubeconfig(config, server);

  const launch = (args: readonly string[], input = ''): Running => {
    const child = spawn(program, ['--kubeconfig', config, '--cache-dir', join(home, 'cache'), ...args], {
      env: { ...process.env, HOME: home, KUBECONFIG: config, ...variables },
    });
    let stdout = '';
    let stderr = '';
    child.stdout.setEncoding('utf8').on('data', (chunk: string) => {
      stdout += chunk;
    });
    child.stderr.setEncoding('utf8').on('data', (chunk: string) => {
      stderr += chunk;
    });
    child.stdin.end(input);
    const ended = new Promise<Result>((resolve, reject) => {
      child.once('error', reject);
      child.once('close', (code) => resolve({ code: code ?? -1, stdout, stderr }));
    });
    return { child, output: () => stdout, ended };
  };

  return {
    config,
    run: (args, input) => launch(args, input).ended,
    start: (args) => launch(args),
    dispose: () => rm(home, { recursive: true, force: true }),
  };
};
