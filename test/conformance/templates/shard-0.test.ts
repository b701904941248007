import { describeLives } from './shard.ts';

describeLives(0);
