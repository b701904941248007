import { once } from 'node:events';
import { createRequire } from 'node:module';
import type { Readable } from 'node:stream';
import { expect, it } from 'vitest';
import type { Database } from './closed-iterators.ts';
import './quick-dynalite.ts';

interface Store {
  db: Database;
  getItemDb(name: string): {
    put(key: string, value: unknown, done: (error?: Error) => void): void;
    createValueStream(options: object): Readable;
    createKeyStream(options: object): Readable;
  };
}

type OpenIterator = ReturnType<Database['values']> & { next(): Promise<unknown> };

/** A store as dynalite creates it, with three items, and the iterators that it opens. */
const openStore = async () => {
  const { create } = createRequire(import.meta.url)('dynalite/db') as { create(options: object): Store };
  const store = create({});
  const items = store.getItemDb('table');
  for (const key of ['a', 'b', 'c'])
    await new Promise<void>((resolve, reject) => {
      items.put(key, { key }, (error) => (error ? reject(error) : resolve()));
    });
  const opened: OpenIterator[] = [];
  for (const kind of ['values', 'keys'] as const) {
    const open = store.db[kind];
    store.db[kind] = (options) => {
      const iterator = open(options);
      opened.push(iterator as OpenIterator);
      return iterator;
    };
  }
  return { items, opened };
};

it.each([
  { what: 'a page that was read to its end', read: async (stream: Readable) => void (await stream.toArray()) },
  { what: 'a page of which one item was read', read: async (stream: Readable) => void (await once(stream, 'data')) },
])('closes the iterator of $what', async ({ read }) => {
  const { items, opened } = await openStore();
  const stream = items.createValueStream({});
  await read(stream);
  stream.destroy();
  if (!stream.closed) await once(stream, 'close');
  expect(opened).toHaveLength(1);
  await expect(opened[0]?.next()).rejects.toThrow('Iterator is not open');
});
