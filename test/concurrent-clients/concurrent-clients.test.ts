import { describe, expect, it } from 'vitest';
import { LIMIT } from '../../shared/test-patience.ts';
import { makeSlowTime, type SlowTime } from './slow-time.ts';
import { DISTANT, NEAR, type OpenStorage, openDynalite, openMemory } from './storages.ts';
import { runStory, type Scale } from './story.ts';

/**
 * `CONCURRENCY_SEEDS=all`, set by the conformance suites: more seeds, and on DynamoDB 64 clients with one object and
 * with 500. There, the clients, the server and the database share one thread, so that contention for one object takes
 * long.
 */
const ALL = process.env.CONCURRENCY_SEEDS === 'all';
const MEMORY = { storage: 'memory', open: () => openMemory, writers: 64, seeds: ALL ? 12 : 1 };
const DYNAMODB = {
  storage: 'DynamoDB',
  open: (time: SlowTime) => openDynalite(time, NEAR),
  seeds: ALL ? 3 : 1,
};

const SAMPLE = [{ ...DYNAMODB, writers: 16, objects: 6, writes: 1 }];
const WHOLE = [
  { ...DYNAMODB, writers: 64, objects: 1, writes: 1 },
  { ...DYNAMODB, writers: 64, objects: 500, writes: 4 },
];

const PATIENT = { timeout: LIMIT };

/** Runs the scenario on virtual time. */
const run = async (open: (time: SlowTime) => OpenStorage, scale: Scale): Promise<void> => {
  const time = makeSlowTime();
  const { writes, reconnects } = await time.during(runStory({ clock: time.clock, open: open(time), ...scale }));
  expect(writes).toBe(scale.writers * scale.writes);
  expect(reconnects).toBeGreaterThan(0);
};

describe.each([
  { ...MEMORY, objects: 1, writes: 1 },
  { ...MEMORY, objects: 500, writes: 2 },
  ...(ALL ? WHOLE : SAMPLE),
])('$writers clients who write $objects objects in $storage', ({ open, writers, objects, writes, seeds }) => {
  const numbers = Array.from({ length: seeds }, (_, index) => index + 1);

  it.each(numbers)('lose nothing, and watchers that disconnect and return miss nothing (seed %i)', PATIENT, (seed) =>
    run(open, { seed, writers, objects, writes, watchers: 2 }),
  );
});

/**
 * Seeds in which a change was missed once. In 31, a call that took a version arrived late, and everything below that
 * version counted as old. In 33, a poll took so long that a version counted as old although its object had been read
 * before the write.
 */
const FOUND = [31, 33];
const DELAYED = [...FOUND, ...(ALL ? Array.from({ length: 20 }, (_, index) => index + 1) : [])];

it.each(DELAYED)(
  'clients of a DynamoDB whose requests and answers are delayed for up to eight seconds miss nothing (seed %i)',
  PATIENT,
  (seed) => run((time) => openDynalite(time, DISTANT), { seed, writers: 16, objects: 10, writes: 5, watchers: 4 }),
);
