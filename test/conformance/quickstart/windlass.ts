/** Runs `npm start` in its own process, and the programs that users run alongside it. */
import { type ChildProcess, execFile, spawn } from 'node:child_process';
import { mkdtempSync, readFileSync } from 'node:fs';
import { rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { PATIENCE_SECONDS } from '../../../shared/test-patience.ts';

const ROOT = join(import.meta.dirname, '..', '..', '..');

export interface Result {
  code: number;
  stdout: string;
  stderr: string;
}

/** A started program. */
export interface Running {
  /** The output so far, on both streams. */
  said(): string;
  /** The result; rejects if the program does not exist or was killed. */
  ended: Promise<Result>;
}

/** Starts a program without waiting for it. */
export const launch = (program: string, args: readonly string[], environment: Record<string, string> = {}): Running => {
  let text = '';
  const ended = new Promise<Result>((resolve, reject) => {
    const options = { cwd: ROOT, env: { ...process.env, ...environment }, maxBuffer: 64 * 1024 * 1024 };
    const child = execFile(program, args, options, (error, stdout, stderr) => {
      if (error && typeof error.code !== 'number') reject(error);
      else resolve({ code: error ? Number(error.code) : 0, stdout, stderr });
    });
    for (const stream of [child.stdout, child.stderr]) {
      stream?.on('data', (part: string) => {
        text += part;
      });
    }
  });
  return { said: () => text, ended };
};

/** Runs a program until it exits. Rejects if the program does not exist. */
export const run = (...program: Parameters<typeof launch>): Promise<Result> => launch(...program).ended;

/** Runs a program that must succeed, and returns its standard output. */
export const must = async (
  program: string,
  args: readonly string[],
  environment?: Record<string, string>,
): Promise<string> => {
  const { code, stdout, stderr } = await run(program, args, environment);
  if (code !== 0) throw new Error(`${program} ${args.join(' ')} ended with ${code}: ${stderr}${stdout}`);
  return stdout;
};

export interface Started {
  child: ChildProcess;
  /** The folder that it uses instead of `.windlass`. */
  home: string;
  kubeconfig: string;
  output(): string;
  /** Resolves to the exit code when the process ends. */
  ended: Promise<number>;
}

const newHome = (): string => mkdtempSync(join(tmpdir(), 'windlass-npm-start-'));

/**
 * Starts the command that `npm start -- …arguments` runs, but without npm, which would end before its child process on
 * Ctrl-C. Several can run at the same time: each has its own folder unless `home` names one, and a free port unless the
 * arguments name one.
 */
export const npmStart = (args: readonly string[] = [], home = newHome()): Started => {
  const child = spawn(process.execPath, ['infra/cli/windlass.ts', 'start', '--port', '0', ...args], {
    cwd: ROOT,
    env: { ...process.env, WINDLASS_HOME: home },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  let text = '';
  const collect = (chunk: Buffer) => {
    text += chunk.toString();
  };
  child.stdout.on('data', collect);
  child.stderr.on('data', collect);
  const ended = new Promise<number>((resolve) => child.once('exit', (code) => resolve(code ?? -1)));
  return { child, home, kubeconfig: join(home, 'kubeconfig'), output: () => text, ended };
};

/**
 * The options that connect kubectl to the server. The cache is separate, because an earlier server may have had the
 * same port.
 */
export const kubectlOptions = ({ home, kubeconfig }: Started): string[] => [
  '--kubeconfig',
  kubeconfig,
  '--cache-dir',
  join(home, 'kubectl-cache'),
];

/** Sends Ctrl-C. */
export const interrupt = ({ child }: Started): void => {
  child.kill('SIGINT');
};

const LOOK_MILLISECONDS = 100;

/** Waits until `look` returns true. Rejects with `what` if it does not in time. */
export const until = async (what: string, look: () => Promise<boolean> | boolean): Promise<void> => {
  const end = Date.now() + PATIENCE_SECONDS * 1000;
  while (!(await look())) {
    if (Date.now() > end) throw new Error(`not within ${PATIENCE_SECONDS} s: ${what}`);
    await new Promise((resolve) => setTimeout(resolve, LOOK_MILLISECONDS));
  }
};

/**
 * Resolves when the output contains `words`. Rejects with the output if the process ends first or does not print them
 * in time.
 */
const whenSaid = (started: Started, words: string): Promise<void> => {
  const said = until(`npm start says "${words}"`, () => started.output().includes(words)).catch((error: Error) => {
    throw new Error(`${error.message}. It says:\n${started.output()}`);
  });
  const ended = started.ended.then((code) => {
    throw new Error(`npm start ended with ${code}: ${started.output()}`);
  });
  return Promise.race([said, ended]);
};

/** Resolves when the server is ready. Rejects with the output if the process ends first. */
export const whenReady = (started: Started): Promise<void> => whenSaid(started, 'Windlass is ready');

/** Resolves when the cluster of `--apply` is Available. Rejects with the output if the process ends first. */
export const whenAvailable = (started: Started): Promise<void> => whenSaid(started, 'is Available after');

/** Sends Ctrl-C, waits until the process has ended, and removes its folder. */
export const stop = async (started: Started): Promise<void> => {
  interrupt(started);
  await started.ended;
  await rm(started.home, { recursive: true, force: true });
};

/** The variables in the file `env`, as a shell would set them. */
export const readEnvironment = ({ home }: Started): Record<string, string> =>
  Object.fromEntries(
    readFileSync(join(home, 'env'), 'utf8')
      .split('\n')
      .flatMap((line) => {
        const found = /^export ([A-Z_]+)=(.*)$/.exec(line);
        return found?.[1] ? [[found[1], (found[2] ?? '').replace(/^'(.*)'$/, '$1')]] : [];
      }),
  );
