import { describe, expect, it } from 'vitest';
import { createRemembered } from './remembered.ts';

const world = (isKept?: (answer: number) => boolean) => {
  let now = 0;
  let asked = 0;
  const memory = createRemembered<number>({
    clock: { now: () => new Date(now) },
    seconds: 60,
    ...(isKept ? { isKept } : {}),
  });
  const get = (key = 'a', fail = false) =>
    memory.get(key, async () => {
      asked += 1;
      if (fail) throw new Error('no answer');
      return asked;
    });
  return { memory, get, asked: () => asked, advance: (seconds: number) => (now += seconds * 1000) };
};

describe('cached answers', () => {
  it('are shared by concurrent and later callers, each by its key', async () => {
    const w = world();
    expect(await Promise.all([w.get(), w.get()])).toEqual([1, 1]);
    w.advance(59);
    expect(await w.get()).toBe(1);
    expect(await w.get('b')).toBe(2);
    w.advance(1);
    expect(await w.get()).toBe(3);
  });

  it('are requested again if they were dropped, failed, or are not worth keeping', async () => {
    const w = world((answer) => answer !== 1);
    expect(await w.get()).toBe(1);
    expect(await w.get()).toBe(2);
    w.memory.forget('a');
    await expect(w.get('a', true)).rejects.toThrow('no answer');
    expect(await w.get()).toBe(4);
    expect(await w.get()).toBe(4);
  });

  it('are dropped to make room for others', async () => {
    const w = world();
    for (let index = 0; index <= 500; index += 1) await w.get(`k-${index}`);
    expect(w.asked()).toBe(501);
    await w.get('k-500');
    expect(w.asked()).toBe(501);
    await w.get('k-0');
    expect(w.asked()).toBe(502);
  });
});
