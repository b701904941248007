import { spawn } from 'node:child_process';
import { existsSync, globSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join, sep } from 'node:path';
import { tableOfBootstrap } from '../conformance/bootstrap-table.ts';
import { tableOfEmulators } from '../conformance/emulator-table.ts';
import { type Report, readReport, tableOfResults } from '../conformance/results.ts';
import { cacheFor, runTool } from '../conformance/run-tool.ts';
import { makeIngredientsOf } from '../conformance/suites/ingredients.ts';
import { filesMeant, type IngredientsOf, type Plan, planRuns, type Run } from '../conformance/suites/plan.ts';
import { readRequest } from '../conformance/suites/request.ts';
import { makeStamps, type Stamps } from '../conformance/suites/stamps.ts';
import { processorTimesOf, summaryOf } from '../conformance/suites/summary.ts';
import { type Provided, provideTools, TOOLS, type ToolName } from '../conformance/tools.ts';
import { appendCount } from '../counts.ts';
import { PATHS, ROOT } from '../paths.ts';
import { synth } from './synth.ts';

const SUITES = join(ROOT, 'test', 'conformance');
const HOME = join(PATHS.state, 'conformance');
const PROCESSOR_TIMES = join(HOME, 'processor-times.jsonl');

const say = (line: string): void => void process.stderr.write(`${line}\n`);

/**
 * Runs the suites against real programs, which `npm test` does not need, and prints the results by client and
 * operation. Arguments are parts of paths of test files; `kube-api` selects the suites of the API. Unchanged files that
 * passed before are skipped unless they are named or `--all` is given. `--tools` only provides the tools of the
 * selected suites. From the first other option on, arguments are passed to vitest. Resolves to the exit code: if CI is
 * set, a missing tool is a failure.
 */
export const conformance = async (
  args: readonly string[],
  options: { all?: boolean; tools?: boolean },
): Promise<number> => {
  const request = readRequest(args, options);
  const meant = filesMeant(testFiles(), request);
  if (meant.length === 0) throw new Error(`no suite has ${request.filters.join(' or ')} in its path`);
  const tools = provide(meant);
  const lacks = Object.values(tools.missing);
  for (const line of lacks) say(line);
  const verdict = (code: number): number => (code === 0 && lacks.length > 0 && process.env.CI === 'true' ? 1 : code);
  if (request.toolsOnly) return verdict(0);

  const { outdir } = await synth({ quiet: true });
  const ingredientsOf = await makeIngredientsOf(meant, { root: ROOT, outdir, identities: tools.identities });
  const stamps = makeStamps(cacheFor('stamps'));
  const plan = planRuns(ROOT, meant, ingredientsOf, stamps, request.all || request.filters.length > 0);
  const { code, report } = await runVitest(plan, request.options, tools, ingredientsOf);
  if (request.options.length === 0) keepStamps(plan, report, tools, stamps);
  printTables(report, plan);
  for (const line of lacks) process.stdout.write(`${line}\n`);
  appendCount({ passed: 0, failed: 0, skipped: plan.skipped.reduce((sum, { tests }) => sum + tests, 0) });
  return verdict(code);
};

const testFiles = (): string[] =>
  globSync('test/conformance/**/*.test.ts', { cwd: ROOT })
    .map((path) => path.split(sep).join('/'))
    .toSorted();

/** Provides only the tools of the selected suites. */
const provide = (meant: readonly Run[]): Provided => {
  const names = new Set(meant.flatMap(({ suite }) => suite.tools ?? []));
  const wanted = Object.entries(TOOLS).filter(([name]) => names.has(name as ToolName));
  return provideTools(say, process.env.PATH, Object.fromEntries(wanted));
};

const NOTHING: Report = { testResults: [] };

const runVitest = async (
  { run }: Plan,
  options: readonly string[],
  { variables }: Provided,
  ingredientsOf: IngredientsOf,
): Promise<{ code: number; report: Report }> => {
  if (run.length === 0) return { code: 0, report: NOTHING };
  const [results, declared] = [join(HOME, 'results.json'), join(HOME, 'declared-inputs.json')];
  mkdirSync(HOME, { recursive: true });
  for (const file of [results, PROCESSOR_TIMES]) rmSync(file, { force: true });
  const inputs = run.map(({ file, suite }) => [file, { inputs: ingredientsOf({ file, suite }).inputs, ...suite }]);
  writeFileSync(declared, JSON.stringify(Object.fromEntries(inputs)));
  const env = {
    ...GO_MEMORY,
    ...process.env,
    ...variables,
    WINDLASS_DECLARED_INPUTS: declared,
    WINDLASS_RESULTS: results,
    WINDLASS_PROCESSOR_TIMES: PROCESSOR_TIMES,
    // Every file has its own process, and many start others: each module is compiled once for all of them.
    NODE_COMPILE_CACHE: cacheFor('compiled'),
    ...firstSeed(),
  };
  const code = await vitest([...run.map(({ file }) => file), ...options], env);
  return { code, report: existsSync(results) ? readReport(results) : NOTHING };
};

/**
 * Go programs collect garbage each time their memory has doubled, which takes a sixth of a kube-apiserver's processor
 * time. Here, they collect less often until they reach the limit. The caller's own values take precedence.
 */
const GO_MEMORY = { GOGC: '400', GOMEMLIMIT: '4GiB' };

const SEED_DIGITS = 7;

/** The seed of a run's random lifecycles differs for each commit. */
const firstSeed = (): { WINDLASS_FIRST_SEED?: string } => {
  if (process.env.WINDLASS_FIRST_SEED !== undefined) return {};
  const { status, stdout } = runTool('git', ['rev-parse', 'HEAD'], { cwd: ROOT });
  return status === 0 ? { WINDLASS_FIRST_SEED: String(1 + Number.parseInt(stdout.slice(0, SEED_DIGITS), 16)) } : {};
};

const vitest = (args: readonly string[], env: NodeJS.ProcessEnv): Promise<number> => {
  const program = join(ROOT, 'node_modules', 'vitest', 'vitest.mjs');
  const child = spawn(process.execPath, [program, 'run', '--config', 'test/conformance/vitest.config.ts', ...args], {
    cwd: ROOT,
    env,
    stdio: 'inherit',
  });
  return new Promise((resolve, reject) => {
    child.on('error', reject);
    child.on('close', (code) => resolve(code ?? 1));
  });
};

/** Stamps each file in which all tests passed, with all its tools. */
const keepStamps = ({ run }: Plan, { testResults }: Report, { missing }: Provided, stamps: Stamps): void => {
  for (const { file, hash, suite } of run) {
    const found = testResults.find(({ name }) => name.split(sep).join('/').endsWith(`/${file}`));
    const passed = found?.assertionResults.filter(({ status }) => status === 'passed').length ?? 0;
    const isWhole = (suite.tools ?? []).every((tool) => missing[tool] === undefined);
    if (found?.status === 'passed' && passed > 0 && isWhole) stamps.keep(file, hash, passed);
  }
};

const printTables = (report: Report, plan: Plan): void => {
  const processorTimes = processorTimesOf(existsSync(PROCESSOR_TIMES) ? readFileSync(PROCESSOR_TIMES, 'utf8') : '');
  const tables = [
    tableOfResults(report, SUITES),
    tableOfBootstrap(report),
    tableOfEmulators(report),
    summaryOf(report, plan, processorTimes),
  ];
  for (const table of tables.filter((text) => text !== '')) process.stdout.write(`\n${table}\n`);
};
