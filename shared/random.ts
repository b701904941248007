import { randomBytes, randomUUID } from 'node:crypto';

/** Randomness. Entry points pass `systemRandom`, and simulations pass a seeded source. */
export interface Random {
  /** `length` random bytes. */
  bytes(length: number): Uint8Array;
  /** A version 4 UUID in lower case. */
  uuid(): string;
}

/** The operating system's random source. Only entry points may pass it on. */
export const systemRandom: Random = {
  bytes: (length) => new Uint8Array(randomBytes(length)),
  uuid: () => randomUUID(),
};
