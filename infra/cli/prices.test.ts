import { mkdtempSync, readFileSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { readPriceFile } from '../../shared/providers/aws/plan/cost/price-file.ts';
import { LIST_PRICES } from '../../shared/providers/aws/plan/cost/us-east-1.ts';
import { ROOT } from './paths.ts';
import { readPrices } from './prices.ts';

const cost = readFileSync(join(ROOT, 'docs', 'cost.md'), 'utf8');
const [, example = ''] = /```yaml\n([\s\S]*?)```/.exec(cost) ?? [];

it('prefers the prices of a file to the list prices', () => {
  const file = join(mkdtempSync(join(tmpdir(), 'windlass-prices-')), 'prices.yaml');
  writeFileSync(file, example);
  expect(readPrices(undefined)).toEqual([LIST_PRICES]);
  expect(readPrices('')).toEqual([LIST_PRICES]);
  expect(readPrices(file)).toEqual([readPriceFile(example), LIST_PRICES]);
});

it('names an invalid or missing file', () => {
  const folder = mkdtempSync(join(tmpdir(), 'windlass-prices-'));
  const file = join(folder, 'prices.yaml');
  writeFileSync(file, '{"date": 1}');
  expect(() => readPrices(file)).toThrow(
    `the file of prices ${file}: date must be a day such as 2026-07-20; regions must`,
  );
  expect(() => readPrices(join(folder, 'none'))).toThrow(/none: there is no such file$/);
});

it('documents in docs/cost.md a price file with every field, and the date and size of the table', () => {
  const { regions } = readPriceFile(example);
  expect(Object.keys(regions['eu-central-1'] ?? {}).sort()).toEqual(
    [...Object.keys(LIST_PRICES.regions['us-east-1'] ?? {}), 'spot'].sort(),
  );
  const types = Object.keys(LIST_PRICES.regions['us-east-1']?.instances ?? {}).length;
  expect(cost).toContain(`${types} instance types as of ${LIST_PRICES.date}`);
});
