import { mkdtempSync, readFileSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import fc from 'fast-check';
import { expect, it } from 'vitest';
import { openVault, shelfOf } from './vault.ts';

const newDirectory = (): string => mkdtempSync(join(tmpdir(), 'windlass-vault-'));

const fileOf = (directory: string): string => join(directory, 'state.sqlite');

it('returns what was written, whatever the content', () => {
  const directory = newDirectory();
  const value = fc.anything({ withMap: true, withSet: true, withDate: true, withBigInt: true, withTypedArray: true });
  fc.assert(
    fc.property(value, (one) => {
      const vault = openVault(directory);
      vault.write('one', one);
      vault.close();
      const again = openVault(directory);
      expect(again.read('one')).toEqual(one);
      again.close();
    }),
    { numRuns: 50 },
  );
});

it('lists by prefix, removes entries, and writes nothing after it is closed', () => {
  const directory = newDirectory();
  const vault = openVault(directory);
  const shelf = shelfOf(vault, 'a/');
  shelf.write('x', 1);
  shelf.write('y', 2);
  vault.write('b/z', 3);
  shelf.remove('x');
  expect(shelf.names('')).toEqual(['y']);
  vault.close();
  vault.write('late', 4);
  const again = openVault(directory);
  expect(again.names('')).toEqual(['a/y', 'b/z']);
  again.close();
});

it('names a file of another format and a remedy, and does not change the file', () => {
  const directory = newDirectory();
  openVault(directory).close();
  const other = new DatabaseSync(fileOf(directory));
  other.exec('PRAGMA user_version = 99');
  other.close();
  const before = readFileSync(fileOf(directory));
  expect(() => openVault(directory)).toThrow(
    /state\.sqlite cannot be used: it has format 99, and this version of Windlass reads format 1\. Nothing was changed\. Start without --keep, or move .* away/,
  );
  expect(readFileSync(fileOf(directory)).equals(before)).toBe(true);
});

it.each([
  ['garbage', (_bytes: Buffer) => Buffer.from('not a database, but long enough to look like one '.repeat(40))],
  ['half a file', (bytes: Buffer) => bytes.subarray(0, bytes.length / 2)],
])('names a file that is %s, and does not change it', (_what, damage) => {
  const directory = newDirectory();
  const vault = openVault(directory);
  for (let index = 0; index < 200; index += 1) vault.write(`name-${index}`, 'x'.repeat(500));
  vault.close();
  const damaged = damage(readFileSync(fileOf(directory)));
  writeFileSync(fileOf(directory), damaged);
  expect(() => openVault(directory)).toThrow(/state\.sqlite cannot be used: .*Nothing was changed/);
  expect(readFileSync(fileOf(directory)).equals(damaged)).toBe(true);
});
