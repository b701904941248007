import { expect, it } from 'vitest';
import { createFuzz } from './test-fuzz.ts';

it('answers 400 invalid requests, and keeps running', async () => {
  const fuzz = await createFuzz(1);
  expect(await fuzz.send(400)).toEqual([]);
  expect(await fuzz.isAlive()).toBe(true);
  expect(({} as Record<string, unknown>).a).toBeUndefined();
});
