/** The suite of `npm test` that kills runs at some of their effects, here at each of them. */
process.env.CRASH_POINTS = 'all';
await import('../../cluster-infrastructure/crash.test.ts');
