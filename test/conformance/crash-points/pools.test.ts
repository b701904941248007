/**
 * Runs the suite of `npm test` that kills the executions of a pool's group at some of their side effects, but at every
 * one of them.
 */
process.env.CRASH_POINTS = 'all';
await import('../../pool-groups/crash.test.ts');
