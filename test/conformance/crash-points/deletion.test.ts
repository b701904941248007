/**
 * The suites of `npm test` that kill runs at some of their effects, here at each of them: complete lifecycles and
 * deletions.
 */
process.env.CRASH_POINTS = 'all';
await import('../../cluster-infrastructure/crash-deletion.test.ts');
