/** 500 seeds in four shares, so that no core is left with all of them. */
const SEEDS_OF_A_SHARD = 125;

/** The suite of `npm test` in which a tenant poisons a cluster, with the seeds of one share, from 0 on. */
export const poisonShard = async (shard: number): Promise<void> => {
  process.env.POISON_FIRST = String(1 + shard * SEEDS_OF_A_SHARD);
  process.env.POISON_SEEDS = String(SEEDS_OF_A_SHARD);
  await import('../../poison/poison.test.ts');
};
