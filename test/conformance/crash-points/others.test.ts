/**
 * Runs the suites of `npm test` that kill all other workflows at some of their side effects, but at every one of them.
 */
process.env.CRASH_POINTS = 'all';
await import('../../crash-points/certificates.test.ts');
await import('../../crash-points/drift.test.ts');
await import('../../crash-points/events.test.ts');
await import('../../crash-points/machines.test.ts');
await import('../../crash-points/writes.test.ts');
