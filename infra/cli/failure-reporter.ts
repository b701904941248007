/** A vitest reporter that collects failures: `.ci/run` prints them at its end, where they are noticed. */
import { appendFileSync } from 'node:fs';
import { stripVTControlCharacters } from 'node:util';
import type { Reporter, TestModule } from 'vitest/node';

/** The limit for one failure: messages may contain complete objects. */
const MOST_CHARACTERS = 1500;

interface Failure {
  name: string;
  seconds: number;
  errors: readonly { message?: string; stack?: string; diff?: string }[];
}

/** The places of the failure in this project. */
const placesOf = (stack: string): string[] =>
  stack.split('\n').filter((line) => /^\s+at /.test(line) && !/node_modules|node:/.test(line));

/** The name, the time and the errors of a failure, as text. */
export const failureText = ({ name, seconds, errors }: Failure): string => {
  const said = errors.flatMap(({ message = '', stack = '', diff = '' }) => [message, ...placesOf(stack), diff]);
  const text = stripVTControlCharacters(said.filter(Boolean).join('\n')).slice(0, MOST_CHARACTERS);
  return `${name} (${seconds.toFixed(0)} s)\n${text.replaceAll(/^/gm, '    ')}\n`;
};

const failuresOf = (module: TestModule): Failure[] => [
  { name: module.relativeModuleId, seconds: module.diagnostic().duration / 1000, errors: module.errors() },
  ...[...module.children.allSuites()].map((suite) => ({
    name: `${module.relativeModuleId} > ${suite.fullName}`,
    seconds: 0,
    errors: suite.errors(),
  })),
  ...[...module.children.allTests('failed')].map((test) => ({
    name: `${module.relativeModuleId} > ${test.fullName}`,
    seconds: (test.diagnostic()?.duration ?? 0) / 1000,
    errors: test.result().errors ?? [],
  })),
];

export class FailureReporter implements Reporter {
  /** Appends each failure to the file in WINDLASS_TEST_FAILURES; does nothing if that is not set. */
  onTestRunEnd(modules: readonly TestModule[]): void {
    const file = process.env.WINDLASS_TEST_FAILURES;
    const failures = modules.flatMap(failuresOf).filter(({ errors }) => errors.length > 0);
    if (file) appendFileSync(file, failures.map(failureText).join(''));
  }
}
