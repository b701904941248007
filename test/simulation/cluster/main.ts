/** Runs random scenarios on all cores and reports violations: `npm run simulate -- --seeds 2000 --first 1 --json`. */
import { fork } from 'node:child_process';
import { availableParallelism } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { told } from './play.ts';
import { brokenOf, commandOf, figuresOf } from './report.ts';
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
const broken = played.flatMap((one) => one.broken).toSorted((a, b) => a.seed - b.seed);
const figures = figuresOf(played, broken);

if (values.json) {
  process.stdout.write(`${JSON.stringify({ seeds, first, ...figures, broken: broken.map(brokenOf) })}\n`);
} else {
  for (const scenario of broken) process.stdout.write(`${told(scenario)}\n${commandOf(scenario)}\n\n`);
  const { happenings, passes, simulatedHours, violations } = figures;
  const life = `${happenings} disturbances, ${passes} passes, ${simulatedHours} simulated hours`;
  const found = violations === 0 ? 'no violation' : `${violations} violations in ${broken.length} of them`;
  process.stdout.write(`${seeds} scenarios, ${life}: ${found}\n`);
}
process.exitCode = broken.length > 0 ? 1 : 0;
