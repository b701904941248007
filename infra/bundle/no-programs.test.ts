import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, dirname, join } from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { bundleFunctions } from './bundle.ts';
import { ENTRIES } from './entries.ts';

/** Node's modules that run programs or foreign code. A kubeconfig, or anything else of a tenant's, must reach none. */
const RUNNERS = /^(node:)?(child_process|cluster|worker_threads|vm|repl|inspector)(\/|$)/;

const ROOT = join(import.meta.dirname, '..', '..');
const outdir = mkdtempSync(join(tmpdir(), 'windlass-programs-'));
const bundles = new Map<string, { runners: string[]; text: string; inputs: string[] }>();

beforeAll(async () => {
  const { outputs } = await bundleFunctions({ root: ROOT, entries: ENTRIES, outdir, apart: true });
  for (const [output, { imports, inputs }] of Object.entries(outputs)) {
    const runners = imports.map(({ path }) => path).filter((path) => RUNNERS.test(path));
    const text = readFileSync(join(ROOT, output), 'utf8');
    bundles.set(basename(dirname(output)), { runners, text, inputs: Object.keys(inputs) });
  }
});
afterAll(() => rmSync(outdir, { recursive: true, force: true }));

it.each(Object.keys(ENTRIES))('gives %s nothing that runs a program', (name) => {
  const bundle = bundles.get(name);
  expect(bundle?.runners).toEqual([]);
  // What is required by a name that is put together is no import, but names the module all the same.
  expect(bundle?.text).not.toMatch(/child_process/);
});

it('bundles the client of created clusters without a library that reads kubeconfigs', () => {
  const inputs = [...bundles.values()].flatMap((bundle) => bundle.inputs);
  expect(inputs.some((file) => file.endsWith('shared/workload/connect.ts'))).toBe(true);
  expect(inputs.filter((file) => file.includes('@kubernetes/client-node'))).toEqual([]);
});
