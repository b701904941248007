/**
 * Runs the suite of `npm test` that kills the creation of a cluster at some of its side effects, but at every one of
 * them.
 */
process.env.CRASH_POINTS = 'all';
await import('../../cluster-infrastructure/crash.test.ts');
