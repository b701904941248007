import type { Random } from './random.ts';

/** Numbers in [0, 1) determined only by the seed (xorshift32). */
export const seededNumbers = (seed: number): (() => number) => {
  let state = seed * 2_654_435_761 || 1;
  return () => {
    state ^= state << 13;
    state ^= state >>> 17;
    state ^= state << 5;
    return (state >>> 0) / 2 ** 32;
  };
};

/** A `Random` determined only by the seed. */
export const seededRandom = (seed: number): Random => {
  const next = seededNumbers(seed);
  return {
    bytes: (length) => Uint8Array.from({ length }, () => Math.floor(next() * 256)),
    uuid: () => `00000000-0000-4000-8000-${String(Math.floor(next() * 1e12)).padStart(12, '0')}`,
  };
};
