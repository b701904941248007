/** In four shares, to divide them between cores. */
const SEEDS_OF_A_SHARD = 40;

/** `npm run conformance` sets another one for each commit, so that every commit tries new seeds. */
const FIRST = Number(process.env.WINDLASS_FIRST_SEED ?? 1);

/** The suite of `npm test` in which a tenant poisons a cluster, with the seeds of one share, from 0 on. */
export const poisonShard = async (shard: number): Promise<void> => {
  process.env.POISON_FIRST = String(FIRST + shard * SEEDS_OF_A_SHARD);
  process.env.POISON_SEEDS = String(SEEDS_OF_A_SHARD);
  await import('../../poison/poison.test.ts');
};
