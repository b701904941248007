/** Runs the programs that the conformance suites need, and locates those that the suites install. */
import { spawnSync } from 'node:child_process';
import { homedir } from 'node:os';
import { join } from 'node:path';

export interface Tool {
  status: number | null;
  stdout: string;
  stderr: string;
}

/** Runs a program until it ends. If the program does not exist, the status is null. */
export type RunTool = (
  command: string,
  args: readonly string[],
  options?: { cwd?: string; env?: NodeJS.ProcessEnv },
) => Tool;

/** Runs programs on this computer. */
export const runTool: RunTool = (command, args, { cwd, env } = {}) =>
  spawnSync(command, args, { cwd, env: { ...process.env, ...env }, encoding: 'utf8' });

/** Outside the checkout, so that a clean checkout does not need a new installation. */
export const cacheFor = (name: string): string =>
  join(process.env.XDG_CACHE_HOME || join(homedir(), '.cache'), 'windlass', name);
