import { defineConfig } from 'vitest/config';
import { CountReporter } from '../../infra/cli/count-reporter.ts';
import { FailureReporter } from '../../infra/cli/failure-reporter.ts';
import { LIMIT } from '../../shared/test-patience.ts';

/** The rules that hold between folders, part of `npm run check`. */
export default defineConfig({
  test: {
    include: ['test/architecture/**/*.test.ts'],
    testTimeout: LIMIT,
    isolate: false,
    reporters: ['default', new CountReporter(), new FailureReporter()],
  },
});
