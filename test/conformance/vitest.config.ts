import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { defineConfig } from 'vitest/config';
import { BaseSequencer, type TestSpecification } from 'vitest/node';
import { cacheFor } from '../../infra/cli/conformance/run-tool.ts';
import { inOrder } from '../../infra/cli/conformance/suites/order.ts';
import { COMPUTING, LONG } from '../../infra/cli/conformance/suites/suites.ts';
import { CountReporter } from '../../infra/cli/count-reporter.ts';
import { FailureReporter } from '../../infra/cli/failure-reporter.ts';
import { LIMIT } from '../../shared/test-patience.ts';

const COMPUTING_PROJECT = 'computing';

const SETUP = ['test/conformance/processor-time.ts', 'test/conformance/declared-inputs.ts'];

/**
 * V8's default for young objects is 16 MB, which makes too many of them survive: collecting these takes a tenth of the
 * time or more.
 */
const YOUNG = { execArgv: ['--max-semi-space-size=64'] };

const COMMON = {
  ...YOUNG,
  testTimeout: LIMIT,
  hookTimeout: LIMIT,
  // Node.js runs TypeScript itself and compiles each module once for all files (NODE_COMPILE_CACHE).
  experimental: { viteModuleRunner: false, nodeLoader: false },
};

class InOrder extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    return inOrder(
      files.map((file) => ({
        file,
        milliseconds: this.ctx.cache.getTestSpecificationResult(file)?.duration,
        computes: file.project.name === COMPUTING_PROJECT,
        isLong: LONG.some((name) => file.moduleId.endsWith(name)),
      })),
    );
  }
}

/** The file from which `npm run conformance` reads the results of each test. */
const RESULTS = process.env.WINDLASS_RESULTS ?? join(tmpdir(), `windlass-results-${process.pid}.json`);

/** Suites with real programs such as kubectl, and long suites. They are not part of `npm test`. */
export default defineConfig({
  // The durations of the test files are stored here, and later checkouts use them.
  cacheDir: cacheFor('vite'),
  test: {
    // Suites that start the whole system need the synthesized template.
    globalSetup: ['test/temporary.ts', 'test/synthesized.ts'],
    // Most test files spend more time waiting than computing, for example until machines boot or programs start.
    maxWorkers: 5,
    reporters: ['default', ['json', { outputFile: RESULTS }], new CountReporter(), new FailureReporter()],
    sequence: { sequencer: InOrder },
    projects: [
      {
        test: {
          ...COMMON,
          name: COMPUTING_PROJECT,
          include: [...COMPUTING],
          // Tests in this project use the processor time that the others leave.
          setupFiles: ['test/conformance/low-priority.ts', ...SETUP],
        },
      },
      {
        test: {
          ...COMMON,
          name: 'programs',
          include: ['test/conformance/**/*.test.ts'],
          exclude: [...COMPUTING],
          setupFiles: SETUP,
        },
      },
    ],
  },
});
