/** The suite of `npm test` that kills the creation of a cluster at some of its effects, here at each of them. */
process.env.CRASH_POINTS = 'all';
await import('../../cluster-infrastructure/crash.test.ts');
