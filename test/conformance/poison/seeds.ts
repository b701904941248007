/** The seeds are divided into shards, so that they can run in parallel. */
const SEEDS_OF_A_SHARD = 40;

/** `npm run conformance` sets a different first seed for each commit, so that every commit tries new seeds. */
const FIRST = Number(process.env.WINDLASS_FIRST_SEED ?? 1);

/**
 * Runs the suite of `npm test` in which a tenant poisons a cluster, with the seeds of one shard. Shards are numbered
 * from 0.
 */
export const poisonShard = async (shard: number): Promise<void> => {
  process.env.POISON_FIRST = String(FIRST + shard * SEEDS_OF_A_SHARD);
  process.env.POISON_SEEDS = String(SEEDS_OF_A_SHARD);
  await import('../../poison/poison.test.ts');
};
