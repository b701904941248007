import { spawn } from 'node:child_process';
import { ROOT } from '../paths.ts';

export interface SimulateOptions {
  /** How many scenarios. */
  seeds: number;
  /** The seed of the first. */
  first: number;
  json: boolean;
}

/**
 * Plays random scenarios in a process of their own: they are tests, which nothing here may import. Resolves to the exit
 * code: 1 when a scenario broke an invariant.
 */
export const simulate = ({ seeds, first, json }: SimulateOptions): Promise<number> => {
  const args = ['--seeds', String(seeds), '--first', String(first), ...(json ? ['--json'] : [])];
  const child = spawn(process.execPath, ['test/simulation/cluster/main.ts', ...args], { cwd: ROOT, stdio: 'inherit' });
  return new Promise((resolve, reject) => {
    child.on('error', reject);
    child.on('close', (code) => resolve(code ?? 1));
  });
};
