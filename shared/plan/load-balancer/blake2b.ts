/**
 * BLAKE2b (RFC 7693) without a key, for digests of 1 to 64 bytes: Node's own knows only the full length, and the length
 * is part of what is hashed.
 */

const MASK = (1n << 64n) - 1n;
const BLOCK_BYTES = 128;

const IV = [
  0x6a09e667f3bcc908n,
  0xbb67ae8584caa73bn,
  0x3c6ef372fe94f82bn,
  0xa54ff53a5f1d36f1n,
  0x510e527fade682d1n,
  0x9b05688c2b3e6c1fn,
  0x1f83d9abfb41bd6bn,
  0x5be0cd19137e2179n,
] as const;

/** Which words of a block each round mixes, in which order; rounds 10 and 11 repeat 0 and 1. */
const SIGMA = [
  [0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15],
  [14, 10, 4, 8, 9, 15, 13, 6, 1, 12, 0, 2, 11, 7, 5, 3],
  [11, 8, 12, 0, 5, 2, 15, 13, 10, 14, 3, 6, 7, 1, 9, 4],
  [7, 9, 3, 1, 13, 12, 11, 14, 2, 6, 5, 10, 4, 0, 15, 8],
  [9, 0, 5, 7, 2, 4, 10, 15, 14, 1, 11, 12, 6, 8, 3, 13],
  [2, 12, 6, 10, 0, 11, 8, 3, 4, 13, 7, 5, 15, 14, 1, 9],
  [12, 5, 1, 15, 14, 13, 4, 10, 0, 7, 6, 3, 9, 2, 8, 11],
  [13, 11, 7, 14, 12, 1, 3, 9, 5, 0, 15, 4, 8, 6, 2, 10],
  [6, 15, 14, 9, 11, 3, 0, 8, 12, 2, 13, 7, 1, 4, 10, 5],
  [10, 2, 8, 4, 7, 6, 1, 5, 15, 11, 9, 14, 3, 12, 13, 0],
] as const;

/** Columns, then diagonals, of the 4×4 state. */
const LANES = [
  [0, 4, 8, 12],
  [1, 5, 9, 13],
  [2, 6, 10, 14],
  [3, 7, 11, 15],
  [0, 5, 10, 15],
  [1, 6, 11, 12],
  [2, 7, 8, 13],
  [3, 4, 9, 14],
] as const;

const rotate = (word: bigint, bits: bigint): bigint => ((word >> bits) | (word << (64n - bits))) & MASK;

const at = (words: readonly bigint[], index: number): bigint => words[index] ?? 0n;

/** The mixing function G of the RFC, on one lane of the state. */
const mix = (
  state: bigint[],
  [ia, ib, ic, id]: readonly [number, number, number, number],
  x: bigint,
  y: bigint,
): void => {
  let [a, b, c, d] = [at(state, ia), at(state, ib), at(state, ic), at(state, id)];
  a = (a + b + x) & MASK;
  d = rotate(d ^ a, 32n);
  c = (c + d) & MASK;
  b = rotate(b ^ c, 24n);
  a = (a + b + y) & MASK;
  d = rotate(d ^ a, 16n);
  c = (c + d) & MASK;
  b = rotate(b ^ c, 63n);
  state[ia] = a;
  state[ib] = b;
  state[ic] = c;
  state[id] = d;
};

const compress = (hash: readonly bigint[], block: DataView, counter: bigint, isLast: boolean): bigint[] => {
  const words = Array.from({ length: 16 }, (_, index) => block.getBigUint64(index * 8, true));
  const state: bigint[] = [...hash, ...IV];
  state[12] = at(state, 12) ^ (counter & MASK);
  state[13] = at(state, 13) ^ (counter >> 64n);
  if (isLast) state[14] = at(state, 14) ^ MASK;
  for (let round = 0; round < 12; round += 1) {
    const order = SIGMA[round % 10] ?? SIGMA[0];
    LANES.forEach((lane, index) => {
      mix(state, lane, at(words, order[2 * index] ?? 0), at(words, order[2 * index + 1] ?? 0));
    });
  }
  return hash.map((word, index) => word ^ at(state, index) ^ at(state, index + 8));
};

/** The digest of `data` in `length` bytes. */
export const blake2b = (data: Uint8Array, length: number): Uint8Array => {
  const blocks = Math.max(1, Math.ceil(data.byteLength / BLOCK_BYTES));
  const padded = new Uint8Array(blocks * BLOCK_BYTES);
  padded.set(data);
  let hash: bigint[] = IV.map((word, index) => (index === 0 ? word ^ 0x01010000n ^ BigInt(length) : word));
  for (let index = 0; index < blocks; index += 1) {
    const isLast = index === blocks - 1;
    const counter = isLast ? data.byteLength : (index + 1) * BLOCK_BYTES;
    const block = new DataView(padded.buffer, index * BLOCK_BYTES, BLOCK_BYTES);
    hash = compress(hash, block, BigInt(counter), isLast);
  }
  const digest = new DataView(new ArrayBuffer(64));
  hash.forEach((word, index) => {
    digest.setBigUint64(index * 8, word, true);
  });
  return new Uint8Array(digest.buffer, 0, length);
};
