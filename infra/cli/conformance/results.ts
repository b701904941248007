/** What the conformance suites found, as a table client × operation. */
import { readFileSync } from 'node:fs';
import { relative, sep } from 'node:path';

/** What vitest's JSON reporter writes, as far as it is read here. */
interface Report {
  testResults: { name: string; assertionResults: { fullName: string; status: string }[] }[];
}

interface Count {
  passed: number;
  failed: number;
  skipped: number;
}

/** Words in the name of a test, by which it counts as one of an operation; it may be of several. */
const OPERATIONS: readonly [operation: string, words: RegExp][] = [
  ['apply', /\bappl(y|ies|ied|ying)\b|manag/i],
  ['watch', /watch|follow|wait|inform/i],
  ['patch', /patch|edit|annotat|\bstatus/i],
  ['scale', /scal/i],
  ['delete', /delet|finalizer|\bremove|\bmove/i],
  ['identity', /who (it|one) is|can-i|token|access|identity|admin|viewer|\bsts\b/i],
  ['discovery', /discover|resources|explain|finding its way|paths|version|openapi/i],
  ['wrong input', /wrong|refuse|bad|meets|unknown|do not exist|invalid|fields that/i],
  ['list', /\blist|select|page|table|\bform|shows|describe/i],
  ['update', /replace|update|chang/i],
  ['create', /creat|\bname/i],
];

const operationsOf = (name: string): string[] => {
  const found = OPERATIONS.flatMap(([operation, words]) => (words.test(name) ? [operation] : []));
  return found.length > 0 ? found : ['other'];
};

const add = (count: Count, status: string): void => {
  if (status === 'passed') count.passed += 1;
  else if (status === 'failed') count.failed += 1;
  else count.skipped += 1;
};

/** Counts by operation and client, where a client is a folder of `test/conformance`. */
export const countResults = ({ testResults }: Report, suites: string): Map<string, Map<string, Count>> => {
  const table = new Map<string, Map<string, Count>>();
  const countOf = (operation: string, client: string): Count => {
    const row = table.get(operation) ?? new Map<string, Count>();
    const count = row.get(client) ?? { passed: 0, failed: 0, skipped: 0 };
    table.set(operation, row.set(client, count));
    return count;
  };
  for (const { name: file, assertionResults } of testResults) {
    const [client = ''] = relative(suites, file).split(sep);
    for (const { fullName, status } of assertionResults)
      for (const operation of operationsOf(fullName)) add(countOf(operation, client), status);
  }
  return table;
};

const show = (count: Count | undefined): string => {
  if (!count) return '-';
  const parts = (['passed', 'failed', 'skipped'] as const).filter((key) => count[key] > 0);
  const words = { passed: 'ok', failed: 'FAILED', skipped: 'not run' } as const;
  return parts.map((key) => `${count[key]} ${words[key]}`).join(', ');
};

/** The table for people, one line for each operation. */
export const tableOfResults = (report: Report, suites: string): string => {
  const counts = countResults(report, suites);
  const clients = [...new Set([...counts.values()].flatMap((row) => [...row.keys()]))].toSorted();
  const operations = [...OPERATIONS.map(([operation]) => operation), 'other'].filter((name) => counts.has(name));
  const lines = [
    ['operation', ...clients],
    ...operations.map((operation) => [operation, ...clients.map((client) => show(counts.get(operation)?.get(client)))]),
  ];
  const widths = [0, ...clients.map((_, index) => index + 1)].map((column) =>
    Math.max(...lines.map((line) => line[column]?.length ?? 0)),
  );
  return lines
    .map((line) =>
      line
        .map((cell, column) => cell.padEnd(widths[column] ?? 0))
        .join('  ')
        .trimEnd(),
    )
    .join('\n');
};

export const readReport = (file: string): Report => JSON.parse(readFileSync(file, 'utf8')) as Report;
