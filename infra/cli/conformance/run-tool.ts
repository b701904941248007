/** Running the programs that the conformance suites need, and the location of those that they install. */
import { spawnSync } from 'node:child_process';
import { homedir } from 'node:os';
import { join } from 'node:path';

export interface Tool {
  status: number | null;
  stdout: string;
  stderr: string;
}

/** Runs a program to its end. A program that is not there has the status null. */
export type RunTool = (
  command: string,
  args: readonly string[],
  options?: { cwd?: string; env?: NodeJS.ProcessEnv },
) => Tool;

/** On this computer. */
export const runTool: RunTool = (command, args, { cwd, env } = {}) =>
  spawnSync(command, args, { cwd, env: { ...process.env, ...env }, encoding: 'utf8' });

/** Outside of the checkout, so that a clean checkout need not install again. */
export const cacheFor = (name: string): string =>
  join(process.env.XDG_CACHE_HOME || join(homedir(), '.cache'), 'windlass', name);
