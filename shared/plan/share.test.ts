import { expect, it } from 'vitest';
import { shareOf } from './share.ts';

it('is everything if there is not more than that', () => {
  expect(shareOf(['a', 'b'], 'seed', 2)).toEqual(['a', 'b']);
  expect(shareOf([], 'seed', 2)).toEqual([]);
});

it('is the same for the same seed, and reaches every item with others', () => {
  const items = Array.from({ length: 50 }, (_, at) => at);
  expect(shareOf(items, 'seed', 8)).toEqual(shareOf(items, 'seed', 8));
  const shares = Array.from({ length: 100 }, (_, pass) => shareOf(items, `uid/${pass}`, 8));
  expect(shares.every((share) => new Set(share).size === 8)).toBe(true);
  expect(new Set(shares.flat()).size).toBe(50);
});
