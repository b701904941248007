/** A vitest reporter that counts tests: `.ci/run` adds up the counts of its stages. */
import type { Reporter, TestModule } from 'vitest/node';
import { appendCount, type TestCount } from './counts.ts';

const stateOf = (state: string): keyof TestCount => (state === 'passed' || state === 'failed' ? state : 'skipped');

/** A file that fails outside its tests counts as one failed test. */
const hasBrokenHooks = (module: TestModule): boolean =>
  module.state() === 'failed' && ![...module.children.allTests()].some((test) => test.result().state === 'failed');

export class CountReporter implements Reporter {
  onTestRunEnd(modules: readonly TestModule[], unhandled: readonly unknown[]): void {
    const count: TestCount = { passed: 0, failed: unhandled.length, skipped: 0 };
    for (const module of modules) {
      for (const test of module.children.allTests()) count[stateOf(test.result().state)] += 1;
      if (hasBrokenHooks(module)) count.failed += 1;
    }
    appendCount(count);
  }
}
