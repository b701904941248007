import { poisonShard } from './seeds.ts';

await poisonShard(2);
