import { mkdtempSync, readdirSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { ClassicLevel } from 'classic-level';
import { expect, it } from 'vitest';
import { requireTables } from './tables.ts';

const makeTables = async (): Promise<string> => {
  const directory = join(mkdtempSync(join(tmpdir(), 'windlass-tables-')), 'tables');
  const database = new ClassicLevel(directory);
  await database.put('key', 'value');
  await database.close();
  return directory;
};

it('accepts readable tables, and a directory that does not exist yet', async () => {
  await requireTables(await makeTables());
  await requireTables(join(tmpdir(), 'windlass-no-such-directory'));
});

it.each([/^CURRENT$/, /^MANIFEST/])('names the directory if the file %s is damaged', async (name) => {
  const directory = await makeTables();
  for (const file of readdirSync(directory).filter((one) => name.test(one))) writeFileSync(join(directory, file), 'x');
  await expect(requireTables(directory)).rejects.toThrow(/tables cannot be used: .*Nothing was changed/);
});
