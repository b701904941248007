import { defineConfig } from 'vitest/config';
import { CountReporter } from './infra/cli/count-reporter.ts';
import { FailureReporter } from './infra/cli/failure-reporter.ts';
import { LIMIT } from './shared/test-patience.ts';

const COMMON = {
  testTimeout: LIMIT,
  hookTimeout: LIMIT,
  // With V8's default of 16 MB for young objects, too many survive for a while: collecting them takes 6 % of the time.
  execArgv: ['--max-semi-space-size=64'],
  // Files share their worker's modules: loading them again for each file would take as long as all the tests.
  isolate: false,
  // Node.js runs TypeScript itself; transforming each module would cost a third of the processor time.
  experimental: { viteModuleRunner: false, nodeLoader: false },
};

/** Tests that replace modules, each with modules of its own. */
const MOCKING = ['test/second-provider/**/*.test.ts', 'test/simulation/{cluster,protocols}/broken-*.test.ts'];

/** Collects garbage to measure the heap, which takes ten times as long in a process that has run many other files. */
const MEASURING = 'shared/kube-api/storage/heap-weight.test.ts';

/** Unit tests stand beside the code and need nothing; those in test/ share one synthesized template. */
export default defineConfig({
  test: {
    // One more than the smallest computer has processors, because some tests wait for sockets and timers.
    maxWorkers: 3,
    globalSetup: ['test/temporary.ts'],
    reporters: ['default', new CountReporter(), new FailureReporter()],
    projects: [
      {
        test: {
          ...COMMON,
          name: 'unit',
          include: ['shared/**/*.test.ts', 'functions/**/*.test.ts', 'infra/**/*.test.ts'],
          exclude: [MEASURING],
        },
      },
      {
        test: {
          ...COMMON,
          name: 'system',
          include: ['test/**/*.test.ts'],
          // `npm run check` has the rules of the architecture, `npm run conformance` what needs other programs or long.
          exclude: ['test/conformance/**', 'test/architecture/**', ...MOCKING],
          globalSetup: ['test/synthesized.ts'],
        },
      },
      {
        test: { ...COMMON, name: 'measuring', include: [MEASURING], isolate: true },
      },
      {
        test: {
          ...COMMON,
          name: 'mocking',
          include: MOCKING,
          isolate: true,
          experimental: { viteModuleRunner: true },
        },
      },
    ],
  },
});
