import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Finding } from './scenario.ts';

/**
 * Differences that are neither fixed nor decided upon yet, one line each. The list may only shrink: a line that is no
 * longer met fails, and so does a difference that is on no list. `UPDATE_OPEN_DIFFERENCES=1` writes it anew.
 */
const FILE = join(import.meta.dirname, 'open-differences.txt');

export const lineOf = ({ where, path }: Finding): string => `${where}: ${path.replace(/\[\d+\]/g, '[]')}`;

export const readOpenDifferences = (): string[] =>
  existsSync(FILE)
    ? readFileSync(FILE, 'utf8')
        .split('\n')
        .filter((line) => line !== '')
    : [];

export const writeOpenDifferences = (findings: readonly Finding[]): void =>
  writeFileSync(FILE, `${[...new Set(findings.map(lineOf))].toSorted().join('\n')}\n`);
