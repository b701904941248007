import { defineConfig } from 'vitest/config';

/** The rules that hold between folders, part of `npm run check`. */
export default defineConfig({
  test: { include: ['test/architecture/**/*.test.ts'], testTimeout: 60_000, isolate: false },
});
