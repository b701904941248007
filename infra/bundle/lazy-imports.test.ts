import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';

const ROOT = join(import.meta.dirname, '..', '..');

const sources = ['shared', 'functions'].flatMap((folder) =>
  readdirSync(join(ROOT, folder), { recursive: true, encoding: 'utf8' })
    .filter((file) => file.endsWith('.ts') && !file.endsWith('.test.ts'))
    .map((file) => join(folder, file)),
);

it('loads no package lazily except through a module of its own, because bundles keep only the default export', () => {
  // Types are removed before anything is bundled.
  const lazy = /(?<!typeof )\bimport\('(?!\.|node:)/;
  expect(sources.filter((file) => lazy.test(readFileSync(join(ROOT, file), 'utf8')))).toEqual([]);
});
