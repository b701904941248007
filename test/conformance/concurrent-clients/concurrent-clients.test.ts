/** Runs the suite of `npm test` in which many clients write and watch concurrently, but with all seeds. */
process.env.CONCURRENCY_SEEDS = 'all';
await import('../../concurrent-clients/concurrent-clients.test.ts');
