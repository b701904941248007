/** Servers that a suite starts as processes on the loopback interface. */
import { type ChildProcess, spawn } from 'node:child_process';
import { randomInt } from 'node:crypto';
import { createWriteStream, existsSync, readFileSync } from 'node:fs';
import { createServer } from 'node:net';
import { join } from 'node:path';

const logOf = (home: string, program: string): string => join(home, `${program.split('/').at(-1)}.log`);

/**
 * Starts a program whose output is written to a file in `home`, from which `lastLines` reads. `env` is added to this
 * process's environment.
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

/** Ends a process, and waits until it has ended. */
export const end = (child: ChildProcess): Promise<void> =>
  new Promise((resolve) => {
    if (child.exitCode !== null || child.signalCode !== null) return resolve();
    child.once('close', () => resolve());
    child.kill('SIGTERM');
    // An API server waits until its watches end, which is unnecessary here.
    setTimeout(() => child.kill('SIGKILL'), 2_000).unref();
  });

/** The last output of a program. */
export const lastLines = (home: string, program: string): string => {
  const log = logOf(home, program);
  return existsSync(log) ? readFileSync(log, 'utf8').trim().split('\n').slice(-10).join('\n') : '';
};

/**
 * Below the ephemeral ports, because a connection could take one of those before the server listens, and below the node
 * ports of Kubernetes.
 */
const PORTS = { first: 12_000, last: 29_999 };
const HOST = '127.0.0.1';

const isFree = (port: number): Promise<boolean> =>
  new Promise((resolve) => {
    const server = createServer();
    server.once('error', () => resolve(false));
    server.listen(port, HOST, () => server.close(() => resolve(true)));
  });

/** Consecutive ports that were free when they were checked. */
export const freePorts = async (count: number): Promise<number[]> => {
  for (;;) {
    const first = randomInt(PORTS.first, PORTS.last - count);
    const ports = Array.from({ length: count }, (_, index) => first + index);
    const free = await Promise.all(ports.map(isFree));
    if (free.every(Boolean)) return ports;
  }
};

/** A server that has been started and answers. */
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

/**
 * Resolves when the URL answers. Rejects with the program's last output if it does not answer in time, or ends earlier.
 */
export const whenUp = async (url: string, child: ChildProcess, words: () => string): Promise<void> => {
  const until = Date.now() + UP_SECONDS * 1000;
  while (!(await isUp(url))) {
    if (child.exitCode !== null || Date.now() > until) throw new Error(`no answer from ${url}:\n${words()}`);
    await new Promise((resolve) => setTimeout(resolve, 100));
  }
};
