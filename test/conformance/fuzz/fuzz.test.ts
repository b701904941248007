import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { expect, it } from 'vitest';
import { createFuzz } from '../../../shared/kube-api/server/test-fuzz.ts';
import { LIMIT } from '../../../shared/test-patience.ts';

/** `WINDLASS_FUZZ_SEED` selects other requests. A failure reports its seed. */
const SEED = Number(process.env.WINDLASS_FUZZ_SEED ?? 2);
const REQUESTS = 20_000;
const MEGABYTE = 1024 * 1024;
/** The growth that is acceptable, because requests change objects and the engine caches compiled code. */
const GROWTH = 32 * MEGABYTE;

setFlagsFromString('--expose-gc');
const collect = runInNewContext('gc') as () => void;

const heap = (): number => {
  collect();
  return process.memoryUsage().heapUsed;
};

it(`the API answers ${REQUESTS} invalid requests, and its memory does not grow`, { timeout: LIMIT }, async () => {
  const fuzz = await createFuzz(SEED);
  expect(await fuzz.send(REQUESTS / 4)).toEqual([]);
  const before = heap();
  expect(await fuzz.send((REQUESTS * 3) / 4)).toEqual([]);
  expect(heap() - before).toBeLessThan(GROWTH);
  expect(await fuzz.isAlive()).toBe(true);
});
