/** Runs random scenarios on all cores and reports violations: `npm run simulate -- --seeds 2000 --first 1 --json`. */
import { fork } from 'node:child_process';
import { availableParallelism } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import type { Played } from './shard.ts';

const { values } = parseArgs({
  options: {
    seeds: { type: 'string', default: '2000' },
    first: { type: 'string', default: '1' },
    json: { type: 'boolean', default: false },
  },
});

const whole = (name: string, text: string): number => {
  if (!/^[1-9]\d*$/.test(text)) throw new Error(`--${name} must be a whole number from 1 on, not "${text}"`);
  return Number(text);
};

const [seeds, first] = [whole('seeds', values.seeds), whole('first', values.first)];

/** Runs every `shards`-th scenario in a separate process. Rejects if the process ends without a result. */
const playShard = (shard: number, shards: number): Promise<Played> =>
  new Promise((resolve, reject) => {
    const child = fork(join(import.meta.dirname, 'shard.ts'), [first + shard, seeds - shard, shards].map(String));
    child.once('message', (played) => resolve(played as Played));
    child.once('error', reject);
    child.once('exit', (code) => reject(new Error(`a process that played scenarios ended with ${code}`)));
  });

const shards = Math.min(availableParallelism(), seeds);
const played = await Promise.all(Array.from({ length: shards }, (_, shard) => playShard(shard, shards)));
const total = (member: 'happenings' | 'passes'): number => played.reduce((sum, one) => sum + one[member], 0);
const totals = { happenings: total('happenings'), passes: total('passes') };
const broken = played.flatMap((one) => one.broken).toSorted((a, b) => a.seed - b.seed);

if (values.json) {
  const breaches = broken.map(({ seed, breaches: all }) => ({ seed, breaches: all }));
  process.stdout.write(`${JSON.stringify({ seeds, first, ...totals, broken: breaches })}\n`);
} else {
  for (const { text } of broken) process.stdout.write(`${text}\n\n`);
  const { happenings, passes } = totals;
  process.stdout.write(`${seeds} scenarios, ${happenings} disturbances, ${passes} passes: ${broken.length} broken\n`);
}
process.exitCode = broken.length > 0 ? 1 : 0;
