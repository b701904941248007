/** A reporter of vitest's that collects what failed: `.ci/run` prints it at its end, where it is seen. */
import { appendFileSync } from 'node:fs';
import { stripVTControlCharacters } from 'node:util';
import type { Reporter, TestModule } from 'vitest/node';

/** Of one failure: messages may contain whole objects. */
const MOST_CHARACTERS = 1500;

interface Failure {
  name: string;
  seconds: number;
  errors: readonly { message?: string; stack?: string; diff?: string }[];
}

/** Where it failed in this project. */
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
  /** Appends each failure to the file that WINDLASS_TEST_FAILURES names; without it does nothing. */
  onTestRunEnd(modules: readonly TestModule[]): void {
    const file = process.env.WINDLASS_TEST_FAILURES;
    const failures = modules.flatMap(failuresOf).filter(({ errors }) => errors.length > 0);
    if (file) appendFileSync(file, failures.map(failureText).join(''));
  }
}
