/** How large the api function is and how long a new process takes to load it. */
import { spawnSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Metafile } from 'esbuild';
import { bundleFunctions } from '../../bundle/bundle.ts';
import { ENTRIES } from '../../bundle/entries.ts';
import { ROOT } from '../paths.ts';
import type { ApiBundle } from './kube-api-figures.ts';

const HANDLER = 'api/index.handler';
const IMPORTS = 20;
/** Lambda's runtime puts `awslambda` there before it loads a function. */
const SCRIPT = `globalThis.awslambda = { streamifyResponse: (handler) => handler };
const begun = performance.now();
await import(process.argv[1]);
console.log(performance.now() - begun);`;

interface Template {
  Resources: Record<
    string,
    { Properties?: { Handler?: string; Environment?: { Variables: Record<string, unknown> } } }
  >;
}

/** The bundles are those that are deployed; what is imported on demand alone does not count. */
export const measureApiBundle = async (): Promise<ApiBundle> => {
  const outdir = mkdtempSync(join(tmpdir(), 'windlass-bundle-'));
  try {
    const { outputs } = await bundleFunctions({ root: ROOT, entries: ENTRIES, outdir });
    const entry = Object.keys(outputs).find((file) => outputs[file]?.entryPoint === ENTRIES.api);
    if (entry === undefined) throw new Error('the api function has no bundle');
    const path = join(outdir, 'api', 'index.mjs');
    const times = Array.from({ length: IMPORTS }, () => importMilliseconds(path));
    return { bytes: bytesOf(outputs, entry), importMilliseconds: Math.min(...times) };
  } finally {
    rmSync(outdir, { recursive: true, force: true });
  }
};

const bytesOf = (outputs: Metafile['outputs'], entry: string): number => {
  const loaded = new Set([entry]);
  // Grows while it is walked: chunks import chunks.
  for (const file of loaded) {
    for (const { path, kind } of outputs[file]?.imports ?? []) {
      if (kind === 'import-statement' && outputs[path]) loaded.add(path);
    }
  }
  return [...loaded].reduce((sum, file) => sum + (outputs[file]?.bytes ?? 0), 0);
};

const importMilliseconds = (path: string): number => {
  const args = ['--input-type=module', '--eval', SCRIPT, path];
  const { status, stdout, stderr } = spawnSync(process.execPath, args, {
    env: { PATH: process.env.PATH, ...variables() },
    encoding: 'utf8',
  });
  if (status !== 0) throw new Error(`the api function could not be loaded:\n${stderr.slice(-500)}`);
  return Number(stdout);
};

/** Those of the template; what it refers to is not there, and any text will do. */
const variables = (): Record<string, string> => {
  const template = JSON.parse(readFileSync(join(ROOT, 'cdk.out', 'Windlass.template.json'), 'utf8')) as Template;
  const found = Object.values(template.Resources).find(({ Properties }) => Properties?.Handler === HANDLER);
  const given = Object.entries(found?.Properties?.Environment?.Variables ?? {});
  const known = given.map(([name, value]) => [name, typeof value === 'string' ? value : 'bench']);
  return { AWS_REGION: 'us-east-1', ...Object.fromEntries(known) };
};
