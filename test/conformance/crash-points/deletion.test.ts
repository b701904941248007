/**
 * Runs the suites of `npm test` that kill complete lifecycles and deletions at some of their side effects, but at every
 * one of them.
 */
process.env.CRASH_POINTS = 'all';
await import('../../cluster-infrastructure/crash-deletion.test.ts');
