import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { PATHS } from '../../../infra/cli/paths.ts';
import type { KnownDifference } from './known-difference.ts';
import type { Finding } from './scenario.ts';

const DIRECTORY = join(PATHS.state, 'conformance');

const show = (value: unknown): string => {
  const text = JSON.stringify(value) ?? 'absent';
  return text.length > 600 ? `${text.slice(0, 600)}…` : text;
};

/** Writes all differences to a file for people, step by step: first the unknown ones, then the known ones. */
export const writeReport = (findings: readonly Finding[], known: readonly KnownDifference[]): void => {
  const [accepted, open] = [true, false].map((wanted) =>
    findings.filter((finding) => known.some((difference) => difference.covers(finding)) === wanted),
  );
  const section = (title: string, list: readonly Finding[] = []): string[] => [
    `# ${title}: ${list.length}`,
    ...list.flatMap(({ where, path, theirs, ours }) => [
      '',
      `${where}: ${path}`,
      `  kube-apiserver: ${show(theirs)}`,
      `  Windlass:       ${show(ours)}`,
    ]),
    '',
  ];
  mkdirSync(DIRECTORY, { recursive: true });
  const lines = [...section('Differences', open), ...section('Known differences', accepted)];
  writeFileSync(join(DIRECTORY, 'differential.txt'), lines.join('\n'));
};
