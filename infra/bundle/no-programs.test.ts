import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Metafile } from 'esbuild';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { bundleFunctions } from './bundle.ts';
import { ENTRIES } from './entries.ts';

/**
 * Node's modules that run programs or foreign code. No input of a tenant, such as a kubeconfig, may reach any of them.
 */
const RUNNERS = /^(node:)?(child_process|cluster|worker_threads|vm|repl|inspector)(\/|$)/;

const ROOT = join(import.meta.dirname, '..', '..');
const outdir = mkdtempSync(join(tmpdir(), 'windlass-programs-'));
let metafile: Metafile;

beforeAll(async () => {
  metafile = await bundleFunctions({ root: ROOT, entries: ENTRIES, outdir });
});
afterAll(() => rmSync(outdir, { recursive: true, force: true }));

it('bundles nothing that runs a program', () => {
  const outputs = Object.entries(metafile.outputs);
  expect(outputs.length).toBeGreaterThan(Object.keys(ENTRIES).length);
  const importing = outputs.filter(([, { imports }]) => imports.some(({ path }) => RUNNERS.test(path)));
  expect(importing.map(([file]) => file)).toEqual([]);
  // A `require` of a computed name is no import, but the bundle still contains the name of the module.
  const naming = outputs.filter(([file]) => readFileSync(join(ROOT, file), 'utf8').includes('child_process'));
  expect(naming.map(([file]) => file)).toEqual([]);
});

it('bundles the client for workload clusters without a library that reads kubeconfigs', () => {
  const inputs = Object.values(metafile.outputs).flatMap((output) => Object.keys(output.inputs));
  expect(inputs.some((file) => file.endsWith('shared/workload/connect.ts'))).toBe(true);
  expect(inputs.filter((file) => file.includes('@kubernetes/client-node'))).toEqual([]);
});
