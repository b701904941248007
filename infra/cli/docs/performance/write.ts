/** Writes the plots and the tables of docs/performance.md from docs/performance.json. */
import { mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { readReport } from '../../bench/report/report.ts';
import { ROOT } from '../../paths.ts';
import { chartsOf } from './charts.ts';
import { drawChart } from './draw.ts';
import { withFigures } from './page.ts';

export const IMAGES = join(ROOT, 'docs', 'images', 'performance');
export const PAGE = join(ROOT, 'docs', 'performance.md');

/** Replaces all plots, and the part of the page with the figures. */
export const writePerformance = async (): Promise<void> => {
  const report = readReport();
  rmSync(IMAGES, { recursive: true, force: true });
  mkdirSync(IMAGES, { recursive: true });
  for (const [name, spec] of chartsOf(report)) writeFileSync(join(IMAGES, `${name}.svg`), await drawChart(spec));
  writeFileSync(PAGE, withFigures(readFileSync(PAGE, 'utf8'), report));
};
