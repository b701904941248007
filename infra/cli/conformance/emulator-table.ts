/** The results of the aws suite, as a table of operations and implementations. */
import { type Report, tableOf } from './results.ts';

const SUBJECTS = ['ours', 'moto', 'ministack'];

/** The names of the tests that count: `moto ec2:CreateVpc as ours: …`. */
const NAME = /(?:^|\s)(ours|moto|ministack) ([a-z0-9]+:[A-Za-z0-9]+) (as ours|otherwise): /;

type Verdict = 'as ours' | 'otherwise' | 'FAILED' | 'not run';

const verdictOf = (status: string, word: string): Verdict => {
  if (status === 'passed') return word as Verdict;
  return status === 'failed' ? 'FAILED' : 'not run';
};

const show = (verdicts: readonly Verdict[]): string =>
  (['as ours', 'otherwise', 'FAILED', 'not run'] as const)
    .map((verdict) => ({ verdict, times: verdicts.filter((one) => one === verdict).length }))
    .flatMap(({ verdict, times }) => (times > 0 ? [`${times} ${verdict}`] : []))
    .join(', ') || '-';

/** The table for readers, with one line for each operation; empty if no test counts. */
export const tableOfEmulators = ({ testResults }: Report): string => {
  const rows = new Map<string, Map<string, Verdict[]>>();
  for (const { fullName, status } of testResults.flatMap(({ assertionResults }) => assertionResults)) {
    const [, subject = '', operation = '', word = ''] = NAME.exec(fullName) ?? [];
    if (subject === '') continue;
    const row = rows.get(operation) ?? new Map<string, Verdict[]>();
    rows.set(operation, row.set(subject, [...(row.get(subject) ?? []), verdictOf(status, word)]));
  }
  if (rows.size === 0) return '';
  const lines = [...rows].toSorted(([a], [b]) => a.localeCompare(b));
  return tableOf([
    ['call', ...SUBJECTS],
    ...lines.map(([operation, row]) => [operation, ...SUBJECTS.map((subject) => show(row.get(subject) ?? []))]),
  ]);
};
