/** What `npm start` runs, in a process of its own, and the programs that a person uses beside it. */
import { type ChildProcess, execFile, spawn } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';

export const ROOT = join(import.meta.dirname, '..', '..', '..');
export const KUBECONFIG = join(ROOT, '.windlass', 'kubeconfig');

export interface Result {
  code: number;
  stdout: string;
  stderr: string;
}

/** Runs a program to its end; a program that is not there rejects. */
export const run = (
  program: string,
  args: readonly string[],
  environment: Record<string, string> = {},
): Promise<Result> =>
  new Promise((resolve, reject) => {
    const options = { cwd: ROOT, env: { ...process.env, ...environment }, maxBuffer: 64 * 1024 * 1024 };
    execFile(program, args, options, (error, stdout, stderr) => {
      if (error && typeof error.code !== 'number') reject(error);
      else resolve({ code: error ? Number(error.code) : 0, stdout, stderr });
    });
  });

/** Runs a program that has to succeed; its standard output. */
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
  output(): string;
  /** Exit code, once it has ended. */
  ended: Promise<number>;
}

/**
 * Starts what `npm start -- …arguments` runs; npm itself would end at Ctrl-C before what it runs has ended. Its files
 * are in `.windlass` unless `home` says otherwise.
 */
export const npmStart = (args: readonly string[], home?: string): Started => {
  const child = spawn(process.execPath, ['infra/cli/windlass.ts', 'start', ...args], {
    cwd: ROOT,
    env: { ...process.env, ...(home === undefined ? {} : { WINDLASS_HOME: home }) },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  let text = '';
  const collect = (chunk: Buffer) => {
    text += chunk.toString();
  };
  child.stdout.on('data', collect);
  child.stderr.on('data', collect);
  const ended = new Promise<number>((resolve) => child.once('exit', (code) => resolve(code ?? -1)));
  return { child, output: () => text, ended };
};

/** Ctrl-C. */
export const interrupt = ({ child }: Started): void => {
  child.kill('SIGINT');
};

/** Waits until `look` is true, half a second at a time. */
export const until = async (what: string, look: () => Promise<boolean> | boolean, seconds = 60): Promise<void> => {
  const end = Date.now() + seconds * 1000;
  while (!(await look())) {
    if (Date.now() > end) throw new Error(`not within ${seconds} s: ${what}`);
    await new Promise((resolve) => setTimeout(resolve, 500));
  }
};

/** Resolves once it has said so; rejects with what it said when it ends before. */
const whenSaid = (started: Started, words: string): Promise<void> => {
  const said = until(`npm start says "${words}"`, () => started.output().includes(words), 120);
  const ended = started.ended.then((code) => {
    throw new Error(`npm start ended with ${code}: ${started.output()}`);
  });
  return Promise.race([said, ended]);
};

/** Resolves once it serves; rejects with what it said when it ends before. */
export const whenReady = (started: Started): Promise<void> => whenSaid(started, 'Windlass is ready');

/** Resolves once the cluster of `--apply` is there; rejects with what it said when it ends before. */
export const whenAvailable = (started: Started): Promise<void> => whenSaid(started, 'is Available after');

/** Ctrl-C, and what follows it. */
export const stop = async (started: Started): Promise<void> => {
  interrupt(started);
  await started.ended;
};

/** The variables of .windlass/env, as a shell would set them. */
export const readEnvironment = (home = join(ROOT, '.windlass')): Record<string, string> =>
  Object.fromEntries(
    readFileSync(join(home, 'env'), 'utf8')
      .split('\n')
      .flatMap((line) => {
        const found = /^export ([A-Z_]+)=(.*)$/.exec(line);
        return found?.[1] ? [[found[1], (found[2] ?? '').replace(/^'(.*)'$/, '$1')]] : [];
      }),
  );
