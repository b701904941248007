import { isDeepStrictEqual } from 'node:util';
import { askUpstream, type Fault, type Question, type Verdict } from './judge.ts';
import { isKnown } from './known-differences.ts';
import { judge } from './ours.ts';

/** Upstream gives each type of objects a name with the time in it. */
const TYPE_NAME = /selfType\d+(?:\.[@\w]+)*/g;

const textOf = ({ type, field, message }: Fault): string => `${type} ${field} ${message}`.replace(TYPE_NAME, 'object');

/** Without the order of the faults, which upstream leaves to Go's maps. */
const comparable = (verdict: Verdict) => ({
  ...verdict,
  class: verdict.class.map(textOf).toSorted(),
  cluster: verdict.cluster.map(textOf).toSorted(),
});

export type Comparable = ReturnType<typeof comparable>;

/** The value that is wrong is the same for both, and long. */
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

/** What differs, for all questions that are not answered alike, but for the differences that are known. */
export const differences = (questions: readonly Question[]): string[] => {
  const { verdicts } = askUpstream(questions);
  return questions.flatMap((question, index) => {
    const upstream = comparable(verdicts[index] as Verdict);
    const ours = comparable(judge(question));
    const differs = !isDeepStrictEqual(upstream, ours) && !isKnown(question, upstream, ours);
    return differs ? [describe(question.title, upstream, ours)] : [];
  });
};
