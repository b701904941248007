import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { makeSource, ROOT, readSources } from './source.ts';
import { statusFolders, statusWriters } from './status-rules.ts';

/** The folders in the table of docs/architecture.md. */
const documented = (): string[] => {
  const [, section = ''] = readFileSync(join(ROOT, 'docs', 'architecture.md'), 'utf8').split('## Who writes a status');
  const [table = ''] = section.split(/^## /m);
  return [...table.matchAll(/^\| `(functions\/[^`]+)` \|/gm)].map(([, folder = '']) => folder);
};

/** The nearest of these folders that contains `folder`, or else itself. */
const nearest = (folder: string, folders: readonly string[]): string =>
  folders
    .filter((one) => `${folder}/`.startsWith(`${one}/`))
    .sort((one, other) => other.length - one.length)
    .at(0) ?? folder;

describe('a status', () => {
  it('is written in the folders that docs/architecture.md lists, and in no others', () => {
    const listed = documented();
    const writing = statusFolders(readSources('shared', 'functions')).map((folder) => nearest(folder, listed));
    expect([...new Set(writing)].sort()).toEqual(listed.sort());
  });
});

describe('the status rule', () => {
  const plan = makeSource(
    'shared/plan/toy.ts',
    `const painted = (toy) => ({ ...toy, status: { ...toy.status, color: 'red' } });
     export const withColor = (toy) => painted(toy);
     export const claim = (base) => ({ type: 'Painted', ...base, status: { is: 'True' } });
     export const word = (base) => ({ ...base, status: 'True' });`,
  );
  const writes = 'export const act = (objects) => objects.mutate(kinds.toy, key, (current) => ';

  it('finds the functions that change a status, directly or through others', () => {
    expect([...statusWriters([plan])]).toEqual(['shared/plan/toy.ts#painted', 'shared/plan/toy.ts#withColor']);
  });

  it.each([
    ["import { withColor } from '../../shared/plan/toy.ts';", 'withColor(current));', true],
    ['', '({ ...current, status: { color } }));', true],
    ["import { word } from '../../shared/plan/toy.ts';", 'word(current));', false],
    ['', '({ ...current, spec: { color } }));', false],
  ])('%s %s', (imports, change, isFound) => {
    const source = makeSource('functions/shop/paint.ts', `${imports}\n${writes}${change}`);
    expect(statusFolders([plan, source])).toEqual(isFound ? ['functions/shop'] : []);
  });

  it('does not apply to code that computes a status without storing it, or to tests', () => {
    const text = 'export const shown = (toy) => ({ ...toy, status: { color } });';
    const test = `${writes}({ ...current, status: {} }));`;
    const sources = [makeSource('functions/shop/show.ts', text), makeSource('functions/shop/paint.test.ts', test)];
    expect(statusFolders(sources)).toEqual([]);
  });
});
