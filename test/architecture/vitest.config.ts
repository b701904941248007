import { defineConfig } from 'vitest/config';

/** The rules that hold between folders, alone: part of `npm run check`, and of `npm test` as well. */
export default defineConfig({
  test: { include: ['test/architecture/**/*.test.ts'], testTimeout: 60_000, isolate: false },
});
