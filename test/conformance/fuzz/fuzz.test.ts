import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { expect, it } from 'vitest';
import { createFuzz } from '../../../shared/kube-api/server/test-fuzz.ts';
import { LIMIT } from '../../../shared/test-patience.ts';

/** `WINDLASS_FUZZ_SEED` chooses other requests; a complaint names the seed that it came from. */
const SEED = Number(process.env.WINDLASS_FUZZ_SEED ?? 2);
const REQUESTS = 20_000;
const MEGABYTE = 1024 * 1024;
/** What may stay: the answers change objects, and the engine keeps compiled code. */
const GROWTH = 32 * MEGABYTE;

setFlagsFromString('--expose-gc');
const collect = runInNewContext('gc') as () => void;

const heap = (): number => {
  collect();
  return process.memoryUsage().heapUsed;
};

it(`answers ${REQUESTS} requests that nobody should send, and does not grow`, { timeout: LIMIT }, async () => {
  const fuzz = await createFuzz(SEED);
  expect(await fuzz.send(REQUESTS / 4)).toEqual([]);
  const before = heap();
  expect(await fuzz.send((REQUESTS * 3) / 4)).toEqual([]);
  expect(heap() - before).toBeLessThan(GROWTH);
  expect(await fuzz.isAlive()).toBe(true);
});
