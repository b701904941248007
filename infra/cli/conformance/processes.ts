/** Servers that a suite starts as plain processes on loopback. */
import { type ChildProcess, spawn } from 'node:child_process';
import { randomInt } from 'node:crypto';
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

/**
 * Below the ports that systems give to connections, one of which could take a port before its server listens, and below
 * the node ports of Kubernetes.
 */
const PORTS = { first: 12_000, last: 29_999 };
const HOST = '127.0.0.1';

const isFree = (port: number): Promise<boolean> =>
  new Promise((resolve) => {
    const server = createServer();
    server.once('error', () => resolve(false));
    server.listen(port, HOST, () => server.close(() => resolve(true)));
  });

/** So many consecutive ports that were free a moment ago; others are tried until all of them are. */
export const freePorts = async (count: number): Promise<number[]> => {
  for (;;) {
    const first = randomInt(PORTS.first, PORTS.last - count);
    const ports = Array.from({ length: count }, (_, index) => first + index);
    const free = await Promise.all(ports.map(isFree));
    if (free.every(Boolean)) return ports;
  }
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
