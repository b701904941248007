import { spawn } from 'node:child_process';
import { ROOT } from '../paths.ts';
import { contextOf } from './context.ts';
import { synth } from './synth.ts';

export interface SimulateOptions {
  /** The number of scenarios; the default is the program's. */
  seeds?: number;
  /** The seed of the first scenario. */
  first: number;
  json: boolean;
  /** Whether to simulate the complete system with its deployed functions, instead of the steps only. */
  system: boolean;
  /** CDK context as `key=value`; only with `system`. */
  context: readonly string[];
}

/**
 * Plays random scenarios in a separate process, because they are tests, which nothing here may import. Resolves to the
 * exit code: 1 if a scenario broke an invariant. Throws if there are further options without --system.
 */
export const simulate = async (
  { seeds, first, json, system, context }: SimulateOptions,
  passedOn: readonly string[],
): Promise<number> => {
  const [unknown] = [...passedOn, ...(context.length > 0 ? ['--context'] : [])];
  if (!system && unknown !== undefined) throw new Error(`${unknown}: only --system takes further options`);
  const number = seeds === undefined ? [] : ['--seeds', String(seeds)];
  const args = [...number, '--first', String(first), ...(json ? ['--json'] : [])];
  const program = system ? 'test/simulation/system/main.ts' : 'test/simulation/cluster/main.ts';
  const assembly = system ? ['--outdir', (await synth({ quiet: true, context: contextOf(context) })).outdir] : [];
  const child = spawn(process.execPath, [program, ...args, ...assembly, ...passedOn], { cwd: ROOT, stdio: 'inherit' });
  return new Promise((resolve, reject) => {
    child.on('error', reject);
    child.on('close', (code) => resolve(code ?? 1));
  });
};
