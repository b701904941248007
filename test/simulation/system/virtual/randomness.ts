/** Replaces all random sources of a process with a single seeded one. */
import { createRequire, syncBuiltinESMExports } from 'node:module';
import { seededNumbers } from '../../../../shared/seeded-random.ts';
import { inOrder } from './quiet.ts';

const require = createRequire(import.meta.url);

type Bytes = ArrayBufferView<ArrayBuffer>;

const fill = <T extends Bytes>(next: () => number, view: T): T => {
  const bytes = new Uint8Array(view.buffer, view.byteOffset, view.byteLength);
  for (let index = 0; index < bytes.length; index += 1) bytes[index] = Math.floor(next() * 256);
  return view;
};

const uuidOf = (next: () => number): string => {
  const bytes = fill(next, new Uint8Array(16));
  bytes[6] = ((bytes[6] ?? 0) & 0x0f) | 0x40;
  bytes[8] = ((bytes[8] ?? 0) & 0x3f) | 0x80;
  return Buffer.from(bytes)
    .toString('hex')
    .replace(/^(.{8})(.{4})(.{4})(.{4})/, '$1-$2-$3-$4-');
};

/**
 * Key pairs cannot be derived from a seed. They are generated once in a process and reused in each run, in the same
 * order, so that two processes only differ in the key material.
 */
const makeKeyPool = (generate: (...values: unknown[]) => Promise<unknown>) => {
  const pools = new Map<string, Promise<unknown>[]>();
  const used = new Map<string, number>();
  return {
    take: (...values: unknown[]): Promise<unknown> => {
      const name = JSON.stringify(values);
      const pool = pools.get(name) ?? [];
      pools.set(name, pool);
      const index = used.get(name) ?? 0;
      used.set(name, index + 1);
      pool[index] ??= generate(...values);
      return pool[index];
    },
    restart: (): void => used.clear(),
  };
};

/** Delivers the results of WebCrypto, which works on other threads, in the order of the requests. */
const patchSubtle = () => {
  const prototype = Object.getPrototypeOf(globalThis.crypto.subtle) as Record<
    string,
    (...values: unknown[]) => Promise<unknown>
  >;
  const generate = prototype.generateKey;
  if (generate === undefined) throw new Error('this Node.js has no WebCrypto');
  const pool = makeKeyPool((...values) => generate.apply(globalThis.crypto.subtle, values));
  for (const name of Object.getOwnPropertyNames(prototype)) {
    const original = prototype[name];
    if (name === 'constructor' || typeof original !== 'function') continue;
    prototype[name] = function (this: unknown, ...values: unknown[]) {
      return inOrder(name === 'generateKey' ? pool.take(...values) : original.apply(this, values));
    };
  }
  return pool;
};

/** Returns a function that starts a new run with a seed. */
export const patchRandomness = (): ((seed: number) => void) => {
  let numbers = seededNumbers(1);
  const next = (): number => numbers();
  const crypto = require('node:crypto') as Record<string, unknown>;
  const getRandomValues = <T extends Bytes>(view: T): T => fill(next, view);
  const randomFill = (view: Bytes, ...rest: unknown[]): void => {
    fill(next, view);
    const callback = rest.at(-1) as (error: null, view: Bytes) => void;
    queueMicrotask(() => callback(null, view));
  };
  Object.assign(crypto, {
    randomBytes: (length: number, callback?: (error: null, bytes: Buffer) => void) => {
      const bytes = fill(next, Buffer.alloc(length));
      if (callback) queueMicrotask(() => callback(null, bytes));
      return callback ? undefined : bytes;
    },
    randomUUID: () => uuidOf(next),
    randomInt: (low: number, high?: number) =>
      high === undefined ? Math.floor(next() * low) : low + Math.floor(next() * (high - low)),
    randomFillSync: (view: Bytes) => fill(next, view),
    randomFill,
  });
  const prototype = Object.getPrototypeOf(globalThis.crypto) as object;
  Object.defineProperty(prototype, 'getRandomValues', { value: getRandomValues, configurable: true });
  Object.defineProperty(prototype, 'randomUUID', { value: () => uuidOf(next), configurable: true });
  Math.random = next;
  const pool = patchSubtle();
  syncBuiltinESMExports();
  return (seed) => {
    numbers = seededNumbers(seed);
    pool.restart();
  };
};
