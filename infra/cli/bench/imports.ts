/** Measures the size of the functions, and how long a new process takes to load them. */
import { spawnSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Metafile } from 'esbuild';
import { bundleFunctions } from '../../bundle/bundle.ts';
import { CORE_FUNCTIONS, ENTRIES, type FunctionName } from '../../bundle/entries.ts';
import { synth } from '../commands/synth.ts';
import { ROOT } from '../paths.ts';
import type { ApiBundle } from './kube-api-figures.ts';

/** Imports of each function. The function that is compared with a limit is measured more often. */
const IMPORTS = 5;
const API_IMPORTS = 20;
/** Lambda's runtime defines `awslambda` before it loads a function. */
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

export interface FunctionImport {
  name: string;
  /** The entry point and everything that it imports before the first request. */
  bytes: number;
  /** The duration of the import in a new process: the shortest of many, because it is the least disturbed. */
  milliseconds: number;
}

/** The bundles are the deployed ones; modules that are imported on demand do not count. */
const measureBundles = async (names: readonly FunctionName[], imports: number): Promise<FunctionImport[]> => {
  const outdir = mkdtempSync(join(tmpdir(), 'windlass-bundle-'));
  try {
    const { outputs } = await bundleFunctions({ root: ROOT, entries: ENTRIES, outdir });
    return names.map((name) => {
      const entry = Object.keys(outputs).find((file) => outputs[file]?.entryPoint === ENTRIES[name]);
      if (entry === undefined) throw new Error(`the function ${name} has no bundle`);
      const path = join(outdir, name, 'index.mjs');
      const times = Array.from({ length: imports }, () => importMilliseconds(name, path));
      return { name, bytes: bytesOf(outputs, entry), milliseconds: Math.min(...times) };
    });
  } finally {
    rmSync(outdir, { recursive: true, force: true });
  }
};

/** The imports of all functions at a cold start. */
export const measureImports = async (): Promise<FunctionImport[]> => {
  await synth({ quiet: true });
  return measureBundles(CORE_FUNCTIONS, IMPORTS);
};

export const measureApiBundle = async (): Promise<ApiBundle> => {
  const [api] = await measureBundles(['api'], API_IMPORTS);
  if (!api) throw new Error('the api function was not measured');
  return { bytes: api.bytes, importMilliseconds: api.milliseconds };
};

/** The figures as a readable table. */
export const tableOfImports = (imports: readonly FunctionImport[]): string =>
  imports
    .map(({ name, bytes, milliseconds }) => {
      const size = `${Math.round(bytes / 1024)} KB`.padStart(10);
      return `${name.padEnd(24)}${size}${`${Math.round(milliseconds)} ms`.padStart(10)}`;
    })
    .join('\n');

const bytesOf = (outputs: Metafile['outputs'], entry: string): number => {
  const loaded = new Set([entry]);
  // Grows during the iteration, because chunks import other chunks.
  for (const file of loaded) {
    for (const { path, kind } of outputs[file]?.imports ?? []) {
      if (kind === 'import-statement' && outputs[path]) loaded.add(path);
    }
  }
  return [...loaded].reduce((sum, file) => sum + (outputs[file]?.bytes ?? 0), 0);
};

const importMilliseconds = (name: FunctionName, path: string): number => {
  const args = ['--input-type=module', '--eval', SCRIPT, path];
  const { status, stdout, stderr } = spawnSync(process.execPath, args, {
    env: { PATH: process.env.PATH, ...variablesOf(name) },
    encoding: 'utf8',
  });
  if (status !== 0) throw new Error(`the function ${name} could not be loaded:\n${stderr.slice(-500)}`);
  return Number(stdout);
};

/** The variables from the template. The resources to which it refers do not exist, so their values are arbitrary. */
const variablesOf = (name: FunctionName): Record<string, string> => {
  const template = JSON.parse(readFileSync(join(ROOT, 'cdk.out', 'Windlass.template.json'), 'utf8')) as Template;
  const found = Object.values(template.Resources).find(
    ({ Properties }) => Properties?.Handler === `${name}/index.handler`,
  );
  const given = Object.entries(found?.Properties?.Environment?.Variables ?? {});
  const known = given.map(([name, value]) => [name, typeof value === 'string' ? value : 'bench']);
  return { AWS_REGION: 'us-east-1', ...Object.fromEntries(known) };
};
