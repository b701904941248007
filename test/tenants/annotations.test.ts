/** docs/annotations.md must list exactly the annotations that controllers read back. */
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { WISHES } from '../../shared/plan/annotations/wishes.ts';
import { MEMORY } from '../../shared/providers/memory.ts';

const ROOT = join(import.meta.dirname, '../..');
const PAGE = readFileSync(join(ROOT, 'docs/annotations.md'), 'utf8');

/** The rows of the table under a heading, as lists of cells. */
const rowsUnder = (heading: string): string[][] => {
  const [, section = ''] = PAGE.split(new RegExp(`^## ${heading}.*$`, 'm'));
  const [own = ''] = section.split(/^## /m);
  const lines = own.split('\n').filter((line) => line.startsWith('| ') && !line.includes('---'));
  return lines.slice(1).map((line) =>
    line
      .split('|')
      .map((cell) => cell.trim())
      .slice(1, -1),
  );
};

const nameIn = (cell = ''): string => /`([^`]+)`/.exec(cell)?.[1] ?? '';

const sourcesIn = (folder: string): string[] =>
  readdirSync(join(ROOT, folder), { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile() && entry.name.endsWith('.ts') && !/test/.test(entry.name))
    .map((entry) => readFileSync(join(entry.parentPath, entry.name), 'utf8'));

describe('docs/annotations.md', () => {
  it('lists exactly the annotations for users that the code has, with their kinds', () => {
    const documented = rowsUnder('Annotations for users').map(([name, kinds = '']) => [
      nameIn(name),
      kinds.split(', '),
    ]);
    const declared = Object.entries(WISHES).map(([name, { kinds }]) => [name, [...kinds]]);

    expect(Object.fromEntries(documented)).toEqual(Object.fromEntries(declared));
  });

  it('lists exactly the entries of records, with the kinds that have them', () => {
    const documented = rowsUnder('Records').flatMap(([name, kinds = '']) =>
      kinds.split(', ').map((kind) => `${kind} ${nameIn(name)}`),
    );
    const plural = {
      awsmachines: 'AWSMachine',
      awsclusters: 'AWSCluster',
      awsmachinepools: 'AWSMachinePool',
      hostclusters: 'HostCluster',
    };
    const declared = Object.entries(MEMORY).flatMap(([resource, { names, prefixes = [] }]) =>
      [...names, ...prefixes.map((prefix) => `${prefix}*`)].map(
        (name) => `${plural[resource.split('.')[0] as keyof typeof plural]} ${name}`,
      ),
    );

    expect(documented.sort()).toEqual(declared.sort());
  });

  it('lists every name in Windlass’s domain that the code writes', () => {
    const names = ['shared', 'functions']
      .flatMap(sourcesIn)
      .flatMap((source) =>
        [...source.matchAll(/['"`]((?:intent\.)?windlass\.dev\/[A-Za-z-]+)/g)].map(([, name = '']) => name),
      );

    const missing = [...new Set(names)].filter((name) => !PAGE.includes(`\`${name}`));
    expect(names.length).toBeGreaterThan(30);
    expect(missing).toEqual([]);
  });
});
