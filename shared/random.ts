import { randomBytes, randomUUID } from 'node:crypto';

/** Randomness as the rest of the code may know it; entry points pass `systemRandom`, a simulation passes a seeded one. */
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
