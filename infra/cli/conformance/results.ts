/** The results of the conformance suites, as a table of clients and operations. */
import { readFileSync } from 'node:fs';
import { relative, sep } from 'node:path';

/** The output of vitest's JSON reporter, as far as it is used here. */
export interface Report {
  testResults: {
    /** The path of the file. */
    name: string;
    /** `passed` only if everything passed, including hooks. */
    status?: string;
    /** Milliseconds since 1970. */
    startTime?: number;
    endTime?: number;
    assertionResults: { fullName: string; status: string }[];
  }[];
}

export interface Count {
  passed: number;
  failed: number;
  skipped: number;
}

/** Words in the name of a test that assign it to one or more operations. */
const OPERATIONS: readonly [operation: string, words: RegExp][] = [
  ['apply', /\bappl(y|ies|ied|ying)\b|manag/i],
  ['watch', /watch|follow|wait|inform/i],
  ['patch', /patch|edit|annotat|\bstatus/i],
  ['scale', /scal/i],
  ['delete', /delet|finalizer|\bremove|\bmove/i],
  ['identity', /who (it|one) is|can-i|token|access|identity|admin|viewer|\bsts\b/i],
  ['discovery', /discover|resources|explain|paths|version|openapi/i],
  ['wrong input', /wrong|refuse|bad|meets|unknown|do not exist|invalid|fields that/i],
  ['list', /\blist|select|page|table|\bform|shows|describe/i],
  ['update', /replace|update|chang/i],
  ['create', /creat|\bname/i],
];

const operationsOf = (name: string): string[] => {
  const found = OPERATIONS.flatMap(([operation, words]) => (words.test(name) ? [operation] : []));
  return found.length > 0 ? found : ['other'];
};

export const emptyCount = (): Count => ({ passed: 0, failed: 0, skipped: 0 });

/** Adds one test with a status from vitest. */
export const count = (before: Count, status: string): Count => {
  const kind = status === 'passed' || status === 'failed' ? status : 'skipped';
  return { ...before, [kind]: before[kind] + 1 };
};

/** Counts by operation and client. A client is a folder of `test/conformance`. */
const countResults = ({ testResults }: Report, suites: string): Map<string, Map<string, Count>> => {
  const table = new Map<string, Map<string, Count>>();
  const add = (operation: string, client: string, status: string): void => {
    const row = table.get(operation) ?? new Map<string, Count>();
    table.set(operation, row.set(client, count(row.get(client) ?? emptyCount(), status)));
  };
  for (const { name: file, assertionResults } of testResults) {
    const [client = ''] = relative(suites, file).split(sep);
    for (const { fullName, status } of assertionResults)
      for (const operation of operationsOf(fullName)) add(operation, client, status);
  }
  return table;
};

export const showCount = (found: Count | undefined): string => {
  if (!found) return '-';
  const parts = (['passed', 'failed', 'skipped'] as const).filter((key) => found[key] > 0);
  const words = { passed: 'ok', failed: 'FAILED', skipped: 'not run' } as const;
  return parts.map((key) => `${found[key]} ${words[key]}`).join(', ');
};

/** Lines of cells, in which each column is as wide as its widest cell. */
export const tableOf = (lines: readonly (readonly string[])[]): string => {
  const widths = (lines[0] ?? []).map((_, column) => Math.max(...lines.map((line) => line[column]?.length ?? 0)));
  return lines
    .map((line) =>
      line
        .map((cell, column) => cell.padEnd(widths[column] ?? 0))
        .join('  ')
        .trimEnd(),
    )
    .join('\n');
};

/** The table for readers, with one line for each operation. */
export const tableOfResults = (report: Report, suites: string): string => {
  const counts = countResults(report, suites);
  const clients = [...new Set([...counts.values()].flatMap((row) => [...row.keys()]))].toSorted();
  const operations = [...OPERATIONS.map(([operation]) => operation), 'other'].filter((name) => counts.has(name));
  return tableOf([
    ['operation', ...clients],
    ...operations.map((operation) => [
      operation,
      ...clients.map((client) => showCount(counts.get(operation)?.get(client))),
    ]),
  ]);
};

export const readReport = (file: string): Report => JSON.parse(readFileSync(file, 'utf8')) as Report;
