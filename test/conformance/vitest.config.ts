import { defineConfig } from 'vitest/config';

const COMMON = {
  testTimeout: 180_000,
  hookTimeout: 180_000,
};

/** They only compute: they need no other program, port or file, and nothing in them waits for a clock. */
const COMPUTING = ['simulation', 'crash-points', 'concurrent-clients'].map(
  (suite) => `test/conformance/${suite}/**/*.test.ts`,
);

/** Suites against real programs (kubectl, …) and long ones, which `npm test` does not need. */
export default defineConfig({
  test: {
    // What starts the whole system needs the template.
    globalSetup: ['test/synthesized.ts'],
    projects: [
      {
        test: {
          ...COMMON,
          name: 'computing',
          include: COMPUTING,
          maxWorkers: 2,
          sequence: { groupOrder: 1 },
        },
      },
      {
        test: {
          ...COMMON,
          name: 'programs',
          include: ['test/conformance/**/*.test.ts'],
          exclude: COMPUTING,
          fileParallelism: false,
          sequence: { groupOrder: 2 },
        },
      },
    ],
  },
});
