import { describe, expect, it } from 'vitest';
import { openDynalite, openMemory } from './storages.ts';
import { runStory } from './story.ts';

/**
 * `CONCURRENCY_SEEDS=all`, as set by the conformance suites: more seeds, and over DynamoDB 64 clients with one object
 * and with 500. There the clients, the server and the database share one thread, so that contention for one object
 * takes long.
 */
const ALL = process.env.CONCURRENCY_SEEDS === 'all';
const MEMORY = { storage: 'memory', open: openMemory, writers: 64, seeds: ALL ? 12 : 1 };
const DYNAMODB = { storage: 'DynamoDB', open: openDynalite(), seeds: ALL ? 3 : 1 };

const SAMPLE = [{ ...DYNAMODB, writers: 16, objects: 6, writes: 1 }];
const WHOLE = [
  { ...DYNAMODB, writers: 64, objects: 1, writes: 1 },
  { ...DYNAMODB, writers: 64, objects: 500, writes: 4 },
];

describe.each([
  { ...MEMORY, objects: 1, writes: 1 },
  { ...MEMORY, objects: 500, writes: 2 },
  ...(ALL ? WHOLE : SAMPLE),
])('$writers clients who write $objects objects in $storage', ({ open, writers, objects, writes, seeds }) => {
  const numbers = Array.from({ length: seeds }, (_, index) => index + 1);

  it.each(numbers)(
    'lose nothing, and watchers that disconnect and return miss nothing (seed %i)',
    { timeout: 240_000 },
    async (seed) => {
      const done = await runStory({ open, seed, writers, objects, writes, watchers: 2 });
      expect(done.writes).toBe(writers * writes);
      expect(done.reconnects).toBeGreaterThan(0);
    },
  );
});
