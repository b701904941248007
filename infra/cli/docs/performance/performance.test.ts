import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { readReport } from '../../bench/report/report.ts';
import { chartsOf } from './charts.ts';
import { drawChart } from './draw.ts';
import { withFigures } from './page.ts';
import { IMAGES, PAGE } from './write.ts';

describe('docs/performance.md', () => {
  it('has the figures of docs/performance.json (npm run docs updates it)', () => {
    const page = readFileSync(PAGE, 'utf8');

    expect(withFigures(page, readReport())).toBe(page);
    expect(withFigures(page, {})).not.toBe(page);
  });

  it('has the plots generated from docs/performance.json (npm run docs updates them)', async () => {
    const charts = chartsOf(readReport());

    expect(readdirSync(IMAGES).toSorted()).toEqual([...charts.keys()].map((name) => `${name}.svg`).toSorted());
    for (const [name, spec] of charts)
      expect(readFileSync(join(IMAGES, `${name}.svg`), 'utf8')).toBe(await drawChart(spec));
  });

  it('requires a marker for the figures', () => {
    expect(() => withFigures('no markers', {})).toThrow('no place for the figures');
  });
});
