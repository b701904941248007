/** The suite of `npm test` in which a tenant poisons a cluster, here with many more seeds. */
process.env.POISON_SEEDS ??= '500';
await import('../../poison/poison.test.ts');
