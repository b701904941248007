import { spawn } from 'node:child_process';
import { delimiter, join } from 'node:path';
import { provideAws } from '../conformance/aws.ts';
import { provideKubectl } from '../conformance/kubectl.ts';
import { ROOT } from '../paths.ts';

/**
 * Runs the suites against real programs, which `npm test` does not need; further arguments go to vitest. Resolves to
 * its exit code, rejects with what to install where a program can neither be found nor built.
 */
export const conformance = async (args: readonly string[]): Promise<number> => {
  const say = (line: string) => void process.stderr.write(`${line}\n`);
  const installed = [provideKubectl(say), provideAws(say)].filter((directory) => directory !== undefined);
  const path = [...installed, process.env.PATH].join(delimiter);
  const vitest = join(ROOT, 'node_modules', 'vitest', 'vitest.mjs');
  const child = spawn(process.execPath, [vitest, 'run', '--config', 'test/conformance/vitest.config.ts', ...args], {
    cwd: ROOT,
    env: { ...process.env, PATH: path },
    stdio: 'inherit',
  });
  return new Promise((resolve, reject) => {
    child.on('error', reject);
    child.on('close', (code) => resolve(code ?? 1));
  });
};
