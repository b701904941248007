/** Plays random scenarios and says what they broke: `npm run simulate -- --seeds 2000 --first 1 --json`. */
import { parseArgs } from 'node:util';
import { appliedCluster } from './applied.ts';
import { play, type Scenario, told } from './play.ts';

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
const applied = await appliedCluster();
const broken: Scenario[] = [];
const totals = { happenings: 0, passes: 0 };
for (let seed = first; seed < first + seeds; seed += 1) {
  const scenario = await play(applied, seed);
  totals.happenings += scenario.happenings;
  totals.passes += scenario.passes;
  if (scenario.breaches.length > 0) broken.push(scenario);
}

if (values.json) {
  const breaches = broken.map((scenario) => ({ seed: scenario.seed, breaches: scenario.breaches }));
  process.stdout.write(`${JSON.stringify({ seeds, first, ...totals, broken: breaches })}\n`);
} else {
  for (const scenario of broken) process.stdout.write(`${told(scenario)}\n\n`);
  const { happenings, passes } = totals;
  process.stdout.write(`${seeds} scenarios, ${happenings} disturbances, ${passes} passes: ${broken.length} broken\n`);
}
process.exitCode = broken.length > 0 ? 1 : 0;
