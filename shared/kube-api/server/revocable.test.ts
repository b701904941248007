import { expect, it } from 'vitest';
import { revocable } from './revocable.ts';

/** A stream with a line every five seconds, and a permission that `mayGoOn` decides. */
const watched = (mayGoOn: (seconds: number) => boolean) => {
  let seconds = 0;
  let isEnded = false;
  const asked: number[] = [];
  const failures: unknown[] = [];
  const line = (controller: ReadableStreamDefaultController<Uint8Array>): void => {
    seconds += 5;
    controller.enqueue(new TextEncoder().encode(`${seconds} `));
    if (seconds >= 100) controller.close();
  };
  const cancel = (): void => {
    isEnded = true;
  };
  const inner = new ReadableStream({ pull: line, cancel }, { highWaterMark: 0 });
  const clock = { now: () => new Date(seconds * 1000), sleep: async () => {} };
  const response = revocable(new Response(inner), clock, {
    mayGoOn: async () => {
      asked.push(seconds);
      return mayGoOn(seconds);
    },
    onFailure: (error) => failures.push(error),
  });
  return { response, asked, failures, isEnded: () => isEnded };
};

const throttled = (): never => {
  throw new Error('slow down');
};

it('a revocable response checks the permission every ten seconds, and ends when it is revoked', async () => {
  const { response, asked, isEnded } = watched((seconds) => seconds < 40);
  expect((await response.text()).trim().split(' ').at(-1)).toBe('35');
  expect(asked).toEqual([10, 20, 30, 40]);
  expect(isEnded()).toBe(true);
});

it('a revocable response continues while the permission cannot be read for a short time, and checks it with each line', async () => {
  const { response, asked, failures } = watched((seconds) => (seconds < 25 ? throttled() : seconds < 60));
  expect((await response.text()).trim().split(' ').at(-1)).toBe('60');
  expect(asked.slice(0, 5)).toEqual([10, 15, 20, 25, 35]);
  expect(failures).toHaveLength(3);
});

it('a revocable response ends, and cancels its source, if the permission cannot be read for half a minute', async () => {
  const { response, failures, isEnded } = watched(throttled);
  expect((await response.text()).trim().split(' ').at(-1)).toBe('25');
  expect(failures).toHaveLength(5);
  expect(isEnded()).toBe(true);
});

it('a revocable response cancels its source if it fails itself', async () => {
  let isEnded = false;
  const inner = new ReadableStream<Uint8Array>({
    pull: (controller) => controller.enqueue(new Uint8Array(1)),
    cancel: () => {
      isEnded = true;
    },
  });
  let reads = 0;
  const now = (): Date => {
    reads += 1;
    return reads > 1 ? throttled() : new Date(0);
  };
  const permission = { mayGoOn: async () => true, onFailure: () => {} };
  const response = revocable(new Response(inner), { now, sleep: async () => {} }, permission);
  await expect(response.text()).rejects.toThrow('slow down');
  expect(isEnded).toBe(true);
});
