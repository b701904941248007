/** Servers that a suite starts as plain processes on loopback. */
import { type ChildProcess, spawn } from 'node:child_process';
import { createWriteStream, existsSync, readFileSync } from 'node:fs';
import { createServer } from 'node:net';
import { join } from 'node:path';

const logOf = (home: string, program: string): string => join(home, `${program.split('/').at(-1)}.log`);

/**
 * Starts a program, whose output is written to a file in `home`, where `lastLines` finds it. `env` is added to ours.
 */
export const run = (
  home: string,
  program: string,
  flags: readonly string[],
  env: Readonly<Record<string, string>> = {},
): ChildProcess => {
  const child = spawn(program, flags, {
    cwd: home,
    env: { ...process.env, ...env },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  const log = createWriteStream(logOf(home, program));
  child.stdout.pipe(log, { end: false });
  child.stderr.pipe(log, { end: false });
  return child;
};

/** Ends a process that was started, and waits until it has ended. */
export const end = (child: ChildProcess): Promise<void> =>
  new Promise((resolve) => {
    if (child.exitCode !== null || child.signalCode !== null) return resolve();
    child.once('close', () => resolve());
    child.kill('SIGTERM');
    // An API server waits for its watches; nothing of it is worth that.
    setTimeout(() => child.kill('SIGKILL'), 2_000).unref();
  });

/** The last output of a program. */
export const lastLines = (home: string, program: string): string => {
  const log = logOf(home, program);
  return existsSync(log) ? readFileSync(log, 'utf8').trim().split('\n').slice(-10).join('\n') : '';
};

/** Ports that were free a moment ago. */
export const freePorts = async (count: number): Promise<number[]> => {
  const servers = await Promise.all(
    Array.from({ length: count }, async () => {
      const server = createServer();
      await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
      return server;
    }),
  );
  return Promise.all(
    servers.map(async (server) => {
      const address = server.address();
      await new Promise((resolve) => server.close(resolve));
      return typeof address === 'object' && address ? address.port : 0;
    }),
  );
};

/** A server that was started, and answers. */
export interface RunningProgram {
  url: string;
  stop(): Promise<void>;
}

const UP_SECONDS = 400;

const isUp = (url: string): Promise<boolean> =>
  fetch(url).then(
    () => true,
    () => false,
  );

/** Resolves when the URL answers. Rejects with the program's last words if it never does, or ends before. */
export const whenUp = async (url: string, child: ChildProcess, words: () => string): Promise<void> => {
  const until = Date.now() + UP_SECONDS * 1000;
  while (!(await isUp(url))) {
    if (child.exitCode !== null || Date.now() > until) throw new Error(`no answer from ${url}:\n${words()}`);
    await new Promise((resolve) => setTimeout(resolve, 100));
  }
};
