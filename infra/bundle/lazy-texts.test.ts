import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Metafile } from 'esbuild';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { bundleFunctions } from './bundle.ts';
import { ENTRIES } from './entries.ts';

const ROOT = join(import.meta.dirname, '..', '..');
const outdir = mkdtempSync(join(tmpdir(), 'windlass-texts-'));
let metafile: Metafile;

beforeAll(async () => {
  metafile = await bundleFunctions({ root: ROOT, entries: ENTRIES, outdir });
});
afterAll(() => rmSync(outdir, { recursive: true, force: true }));

const isTexts = (input: string): boolean => /shared\/kinds\/(texts\/|[\w-]+\/([\w-]+-)?texts\.ts$)/.test(input);

const chunksWithTexts = (): string[] =>
  Object.entries(metafile.outputs)
    .filter(([, { inputs }]) => Object.keys(inputs).some(isTexts))
    .map(([file]) => file);

/** Everything that a function loads before its first request. */
const loadedAtStart = (entry: string): Set<string> => {
  const loaded = new Set<string>();
  const load = (file: string): void => {
    if (loaded.has(file)) return;
    loaded.add(file);
    const { imports = [] } = metafile.outputs[file] ?? {};
    for (const { path, kind, external } of imports) if (kind === 'import-statement' && !external) load(path);
  };
  const [file = ''] = Object.entries(metafile.outputs).find(([, { entryPoint }]) => entryPoint === entry) ?? [];
  load(file);
  return loaded;
};

it('bundles the descriptions of fields separately from everything that functions load when they start', () => {
  const chunks = chunksWithTexts();
  expect(chunks).toHaveLength(1);
  const inputs = Object.keys(metafile.outputs[chunks[0] ?? '']?.inputs ?? {});
  expect(inputs.filter(isTexts).length).toBeGreaterThan(20);
  expect(inputs.filter((input) => !isTexts(input))).toEqual([]);
  for (const entry of Object.values(ENTRIES)) {
    const loaded = loadedAtStart(entry);
    expect(loaded.size).toBeGreaterThan(1);
    expect(chunks.filter((chunk) => loaded.has(chunk))).toEqual([]);
  }
});
