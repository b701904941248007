/** A readable summary: which files ran, how long they took, and which were skipped because of which stamp. */
import { type Report, tableOf } from '../results.ts';
import type { Plan } from './plan.ts';

const STAMP_CHARACTERS = 12;

const nameOf = (file: string): string => file.replace(/^.*test\/conformance\//, '').replace(/\.test\.ts$/, '');

const outcomeOf = (statuses: readonly string[]): string => {
  const failed = statuses.filter((status) => status === 'failed').length;
  const passed = statuses.filter((status) => status === 'passed').length;
  const others = statuses.length - failed - passed;
  return [
    `${passed} passed`,
    ...(failed > 0 ? [`${failed} FAILED`] : []),
    ...(others > 0 ? [`${others} not run`] : []),
  ].join(', ');
};

/** CPU seconds by the path of the test file, if measured. */
export type ProcessorTimes = ReadonlyMap<string, number>;

/** Reads lines of `{name, seconds}`, as written by test/conformance/processor-time.ts. */
export const processorTimesOf = (text: string): ProcessorTimes => {
  const lines = text.split('\n').filter((line) => line !== '');
  const counted = lines.map((line) => JSON.parse(line) as { name: string; seconds: number });
  return new Map(counted.map(({ name, seconds }) => [name, seconds]));
};

const shown = (seconds: number | undefined): string => (seconds === undefined ? '' : `${seconds.toFixed(0)} s`);

/** One line for each test file: first those that ran, longest first, then the skipped ones. */
export const summaryOf = (
  report: Report,
  { skipped }: Pick<Plan, 'skipped'>,
  processorTimes: ProcessorTimes = new Map(),
): string => {
  const ran = report.testResults
    .map(({ name, assertionResults, startTime = 0, endTime = 0 }) => ({
      name: nameOf(name),
      outcome: outcomeOf(assertionResults.map(({ status }) => status)),
      seconds: (endTime - startTime) / 1000,
      processor: processorTimes.get(name),
    }))
    .toSorted((a, b) => b.seconds - a.seconds);
  const left = skipped.map(({ file, tests, hash }) => [
    nameOf(file),
    `${tests} passed before`,
    '',
    '',
    `unchanged: stamp ${hash.slice(0, STAMP_CHARACTERS)}`,
  ]);
  return tableOf([
    ['suite', 'tests', 'time', 'CPU', ''],
    ...ran.map(({ name, outcome, seconds, processor }) => [name, outcome, shown(seconds), shown(processor)]),
    ...left,
  ]);
};
