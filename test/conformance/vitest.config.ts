import { defineConfig } from 'vitest/config';

/** Suites against real programs (kubectl, …), which `npm test` does not need. */
export default defineConfig({
  test: {
    include: ['test/conformance/**/*.test.ts'],
    testTimeout: 180_000,
    hookTimeout: 180_000,
    fileParallelism: false,
    // What starts the whole system needs the template.
    globalSetup: ['test/synthesized.ts'],
  },
});
