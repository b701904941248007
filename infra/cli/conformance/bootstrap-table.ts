/** The results of the bootstrap suite, as a table of Kubernetes minors, kinds of machines and formats. */
import { type Count, count, emptyCount, type Report, showCount, tableOf } from './results.ts';

const ROLES = ['init', 'control-plane', 'worker'];
const FORMATS = ['cloud-init', 'Ignition'];

/** The names of the tests that count: `1.34.0 worker by Ignition: …`. */
const NAME = /(\d+\.\d+)\.\d+ (init|control-plane|worker) by (cloud-init|Ignition): /;

/** The table for readers, with one line for each minor; empty if no test counts. */
export const tableOfBootstrap = ({ testResults }: Report): string => {
  const cells = new Map<string, Count>();
  const minors = new Set<string>();
  for (const { fullName, status } of testResults.flatMap(({ assertionResults }) => assertionResults)) {
    const [, minor, role, format] = NAME.exec(fullName) ?? [];
    if (minor === undefined) continue;
    minors.add(minor);
    const cell = `${minor} ${role}, ${format}`;
    cells.set(cell, count(cells.get(cell) ?? emptyCount(), status));
  }
  if (minors.size === 0) return '';
  const columns = FORMATS.flatMap((format) => ROLES.map((role) => `${role}, ${format}`));
  const byNumber = new Intl.Collator('en', { numeric: true });
  return tableOf([
    ['Kubernetes', ...columns],
    ...[...minors]
      .toSorted(byNumber.compare)
      .map((minor) => [minor, ...columns.map((column) => showCount(cells.get(`${minor} ${column}`)))]),
  ]);
};
