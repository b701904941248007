import { spawn } from 'node:child_process';
import { existsSync, mkdirSync, readdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { tableOfBootstrap } from '../conformance/bootstrap-table.ts';
import { tableOfEmulators } from '../conformance/emulator-table.ts';
import { type Report, readReport, tableOfResults } from '../conformance/results.ts';
import { provideTools } from '../conformance/tools.ts';
import { PATHS, ROOT } from '../paths.ts';

const SUITES = join(ROOT, 'test', 'conformance');

/** Suites of what is not the API: boot scripts, crashes, the deployment, etcd, the laptop as a whole. All others run as `kube-api`. */
const NOT_API: readonly string[] = [
  'addons',
  'aws',
  'bootstrap',
  'crash-points',
  'deploy',
  'etcd',
  'iam',
  'laptop',
  'move',
  'quickstart',
  'simulation',
];

/**
 * Runs the suites against real programs, which `npm test` does not need, and prints what came of it by client and
 * operation. `kube-api` as the first argument leaves out the suites that are not about the API; further arguments go to
 * vitest. Resolves to the exit code: where CI is set, a tool that is missing is a failure.
 */
export const conformance = async ([first, ...rest]: readonly string[]): Promise<number> => {
  const say = (line: string) => void process.stderr.write(`${line}\n`);
  const { variables, missing } = provideTools(say, process.env.PATH);
  for (const line of missing) say(line);
  const results = join(PATHS.state, 'conformance', 'results.json');
  mkdirSync(join(PATHS.state, 'conformance'), { recursive: true });
  rmSync(results, { force: true });
  const named = [first ?? [], rest].flat();
  const args = first === 'kube-api' ? [...apiSuites(), ...rest] : named;
  const code = await runVitest([...args, ...reporters(results)], { ...process.env, ...variables });
  if (existsSync(results)) printTables(readReport(results));
  for (const line of missing) process.stdout.write(`${line}\n`);
  return code === 0 && missing.length > 0 && process.env.CI === 'true' ? 1 : code;
};

const printTables = (report: Report): void => {
  const tables = [tableOfResults(report, SUITES), tableOfBootstrap(report), tableOfEmulators(report)];
  for (const table of tables.filter((text) => text !== '')) process.stdout.write(`\n${table}\n`);
};

const apiSuites = (): string[] =>
  readdirSync(SUITES, { withFileTypes: true })
    .filter((entry) => entry.isDirectory() && !NOT_API.includes(entry.name))
    .map(({ name }) => `test/conformance/${name}/`);

const reporters = (file: string): string[] => ['--reporter=default', '--reporter=json', `--outputFile.json=${file}`];

const runVitest = (args: readonly string[], env: NodeJS.ProcessEnv): Promise<number> => {
  const vitest = join(ROOT, 'node_modules', 'vitest', 'vitest.mjs');
  const child = spawn(process.execPath, [vitest, 'run', '--config', 'test/conformance/vitest.config.ts', ...args], {
    cwd: ROOT,
    env,
    stdio: 'inherit',
  });
  return new Promise((resolve, reject) => {
    child.on('error', reject);
    child.on('close', (code) => resolve(code ?? 1));
  });
};
