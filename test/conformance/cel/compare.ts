import { isDeepStrictEqual } from 'node:util';
import { type Comparable, comparable } from './comparable.ts';
import { askUpstream, type Question, type Verdict } from './judge.ts';
import { isKnown } from './known-differences.ts';
import { judge } from './ours.ts';

/** The invalid value in a message: it is long, and both sides print the same. */
const BAD_VALUE = /Invalid value: (?:"(?:\\.|[^"\\])*"|\{.*?"OptionalOldSelf":null\}): /s;

const linesOf = ({ class: ofClass, cluster, rules, spent }: Comparable): string[] => [
  ...ofClass,
  ...cluster,
  ...rules.map((rule, index) => `rule ${index}: ${JSON.stringify(rule)}`),
  `spent: ${spent}`,
];

const shown = (who: string, lines: readonly string[], others: readonly string[]): string[] =>
  lines.filter((line) => !others.includes(line)).map((line) => `  ${who}: ${line.replace(BAD_VALUE, '')}`);

const describe = (title: string, upstream: Comparable, ours: Comparable): string => {
  const [theirs, own] = [linesOf(upstream), linesOf(ours)];
  return [title, ...shown('upstream', theirs, own), ...shown('ours', own, theirs)].join('\n');
};

/** Go iterates over maps in random order. With so many attempts, each order of two entries almost certainly occurs. */
const TIMES = 16;

/** Whether upstream also gives this answer in at least one of several attempts. */
const isAlsoUpstreams = (question: Question, ours: Comparable): boolean =>
  askUpstream(Array<Question>(TIMES).fill(question)).verdicts.some((verdict) =>
    isDeepStrictEqual(comparable(verdict), ours),
  );

/** The differences between all answers, without the known differences. */
export const differences = (questions: readonly Question[]): string[] => {
  const { verdicts } = askUpstream(questions);
  return questions.flatMap((question, index) => {
    const upstream = comparable(verdicts[index] as Verdict);
    const ours = comparable(judge(question));
    if (isDeepStrictEqual(upstream, ours) || isKnown(question, upstream, ours)) return [];
    return isAlsoUpstreams(question, ours) ? [] : [describe(question.title, upstream, ours)];
  });
};
