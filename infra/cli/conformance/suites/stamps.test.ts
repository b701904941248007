import { mkdirSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { beforeEach, describe, expect, it } from 'vitest';
import { makeIngredientsOf } from './ingredients.ts';
import { planRuns, type Run } from './plan.ts';
import { makeStamps } from './stamps.ts';

const TEST = 'test/conformance/saw/saw.test.ts';
const RUN: Run = { file: TEST, suite: { tools: ['kubectl'], reads: ['docs/saws.md', 'shared/teeth/'] } };

/** A minimal checkout. `saw.test.ts` imports `shared/blade.ts`, which imports a tooth, and runs the bundles. */
const CHECKOUT: Readonly<Record<string, string>> = {
  'cdk.json': '{}',
  'cdk.out/Windlass.template.json': '{"code":"1"}',
  'docs/hammers.md': 'hammers',
  'docs/saws.md': 'saws',
  'examples/wood.yaml': 'kind: Wood',
  'functions/hammer.ts': 'export const hammer = 1;',
  'infra/cli/bench/measure.ts': '',
  'infra/cli/exec-token.ts': '',
  'infra/cli/start.ts': '',
  'infra/cli/windlass.ts': "await import('./start.ts');\nawait import('./bench/measure.ts');",
  'infra/local/runtime.ts': '',
  'package-lock.json': '{}',
  'shared/blade.ts': "export const blade = await import('./tooth.ts');",
  'shared/golden/blade.txt': 'golden',
  'shared/tooth.ts': 'export const tooth = 1;',
  'test/conformance/declared-inputs.ts': '',
  'test/conformance/saw/program/main.go': 'package main',
  [TEST]: "import { blade } from '../../../shared/blade.ts';\nimport '../../../infra/local/runtime.ts';\nblade;",
  'test/conformance/vitest.config.ts': '',
  'shared/teeth/one.txt': '1',
  'test/hammer/nail.txt': 'nail',
  'test/hammer/nail.ts': '',
  'test/synthesized.ts': '',
  'tsconfig.json': '{}',
};

let root: string;
let directory: string;
beforeEach(() => {
  root = mkdtempSync(join(tmpdir(), 'windlass-stamps-'));
  directory = mkdtempSync(join(tmpdir(), 'windlass-stamps-kept-'));
  for (const [path, text] of Object.entries(CHECKOUT)) write(path, text);
});

const write = (path: string, text: string): void => {
  mkdirSync(dirname(join(root, path)), { recursive: true });
  writeFileSync(join(root, path), text);
};

const plan = async ({ kubectl = '1.34', everything = false, run = RUN } = {}) => {
  const outdir = join(root, 'cdk.out');
  const ingredientsOf = await makeIngredientsOf([run], { root, outdir, identities: { kubectl, aws: '2' } });
  return planRuns(root, [run], ingredientsOf, makeStamps(directory), everything);
};

/** Simulates a run in which all four tests passed. */
const pass = async (): Promise<void> => {
  const [run] = (await plan({ everything: true })).run;
  if (!run) throw new Error('nothing to run');
  makeStamps(directory).keep(run.file, run.hash, 4);
};

const runs = async (options?: Parameters<typeof plan>[0]): Promise<boolean> => (await plan(options)).run.length === 1;

describe('a test file that passed', () => {
  it('is skipped while nothing changes, and the plan reports how many tests passed', async () => {
    expect(await runs()).toBe(true);
    await pass();

    const { run, skipped } = await plan();

    expect(run).toEqual([]);
    expect(skipped).toMatchObject([{ file: TEST, tests: 4, hash: expect.stringMatching(/^[0-9a-f]{64}$/) as unknown }]);
  });

  it.each([
    ['the test itself', TEST],
    ['a module that it imports', 'shared/blade.ts'],
    ['a module that this one imports when it runs', 'shared/tooth.ts'],
    ['a fixture in its folder', 'test/conformance/saw/program/main.go'],
    ['a fixture of a module that it imports', 'shared/golden/blade.txt'],
    ['an example', 'examples/wood.yaml'],
    ['a document that its suite reads', 'docs/saws.md'],
    ['a file in a folder that its suite reads', 'shared/teeth/one.txt'],
    ['the versions of the libraries', 'package-lock.json'],
    ['the settings of the stack', 'cdk.json'],
    ['the deployed bundles', 'cdk.out/Windlass.template.json'],
    ['a module that every suite uses', 'test/synthesized.ts'],
    ['the configuration of the suites', 'test/conformance/vitest.config.ts'],
  ])('runs again after a change of %s', async (_, path) => {
    await pass();
    write(path, `${CHECKOUT[path]}\n`);
    expect(await runs()).toBe(true);
  });

  it('is skipped after a change of a unit test, even in a folder that its suite reads', async () => {
    await pass();
    write('shared/teeth/one.test.ts', 'new');
    expect(await runs()).toBe(false);
  });

  it('runs again after a change of a command that it starts, but not of a command for contributors', async () => {
    const run = { ...RUN, suite: { ...RUN.suite, drives: true } };
    const [planned] = (await plan({ everything: true, run })).run;
    makeStamps(directory).keep(TEST, planned?.hash ?? '', 4);
    write('infra/cli/bench/measure.ts', 'changed');
    expect(await runs({ run })).toBe(false);
    write('infra/cli/start.ts', 'changed');
    expect(await runs({ run })).toBe(true);
  });

  it('runs again if an input is missing or a fixture is new', async () => {
    await pass();
    rmSync(join(root, 'docs/saws.md'));
    expect(await runs()).toBe(true);
    write('docs/saws.md', 'saws');
    expect(await runs()).toBe(false);
    write('test/conformance/saw/new.yaml', '');
    expect(await runs()).toBe(true);
  });

  it('runs again with another version of a tool, or if its suite now starts commands', async () => {
    await pass();
    expect(await runs({ kubectl: '1.35' })).toBe(true);
    expect(await runs({ run: { ...RUN, suite: { ...RUN.suite, drives: true } } })).toBe(true);
    expect(await runs()).toBe(false);
  });

  it.each(['docs/hammers.md', 'functions/hammer.ts', 'test/hammer/nail.ts', 'test/hammer/nail.txt'])(
    'is skipped after a change of %s, which it does not use',
    async (path) => {
      await pass();
      write(path, 'other');
      expect(await runs()).toBe(false);
    },
  );

  it('runs again if all files are requested', async () => {
    await pass();
    expect(await runs({ everything: true })).toBe(true);
  });
});

describe('a stamp', () => {
  const stampFile = (): string => join(directory, readdirSync(directory)[0] ?? 'none');

  it('that is missing does not skip the test', async () => {
    await pass();
    rmSync(stampFile());
    expect(await runs()).toBe(true);
  });

  it.each([
    ['that is empty', ''],
    ['that is not JSON', '{'],
    ['of another form', '"passed"'],
    ['of another file', JSON.stringify({ file: 'test/conformance/hammer/hammer.test.ts', hash: '0', tests: 4 })],
  ])('%s does not skip the test', async (_, text) => {
    await pass();
    writeFileSync(stampFile(), text);
    expect(await runs()).toBe(true);
  });

  it('with the hash of other sources does not skip the test', async () => {
    await pass();
    writeFileSync(stampFile(), JSON.stringify({ file: TEST, hash: 'f'.repeat(64), tests: 4 }));
    expect(await runs()).toBe(true);
  });
});
