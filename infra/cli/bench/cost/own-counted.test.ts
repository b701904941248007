import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { ownCost } from '../../../../shared/providers/aws/plan/cost/own.ts';
import {
  COUNTED_MACHINES,
  INSTALLATION_MONTH,
  SWEPT_CLUSTER_MONTH,
} from '../../../../shared/providers/aws/plan/cost/own-counted.ts';
import { LIST_PRICES } from '../../../../shared/providers/aws/plan/cost/us-east-1.ts';
import { ROOT } from '../../paths.ts';

const SWEEPS = 8_760;

/** The cells of a row of docs/cost.md, except the first. */
const rowOf = (first: string): number[] => {
  const row = readFileSync(join(ROOT, 'docs', 'cost.md'), 'utf8')
    .split('\n')
    .find((line) => line.startsWith(`| ${first} |`));
  return (row ?? '')
    .split('|')
    .slice(2, -1)
    .map((cell) => Number(cell.replaceAll(',', '')));
};

describe('the cost of Windlass in the output of describe', () => {
  const { cluster = 0, installation = 0 } = ownCost(COUNTED_MACHINES, 'us-east-1', [LIST_PRICES]) ?? {};

  it('is based on the counts in docs/cost.md', () => {
    const [, , gigabyteSeconds, readUnits] = rowOf('additional cost of a sweep for each further cluster');
    expect((SWEPT_CLUSTER_MONTH.gigabyteSeconds ?? 0) / SWEEPS).toBeCloseTo(gigabyteSeconds ?? 0, 2);
    expect((SWEPT_CLUSTER_MONTH.readUnits ?? 0) / SWEEPS).toBeCloseTo(readUnits ?? 0, 0);
    expect((INSTALLATION_MONTH.readUnits ?? 0) / SWEEPS).toBeCloseTo(rowOf('a sweep without clusters')[3] ?? 0, 0);
  });

  it('is based on the prices in docs/cost.md', () => {
    expect(cluster / SWEEPS).toBeCloseTo(rowOf('additional cost of a sweep for each further cluster')[5] ?? 0, 7);
    expect(installation).toBeCloseTo(rowOf('0')[0] ?? 0, 2);
  });
});
