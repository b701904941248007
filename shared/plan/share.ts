import { hashOf } from './names.ts';

/**
 * At most `count` of the items: consecutive ones, of which `seed` selects the first. A caller that changes the seed each
 * time reaches all of them after a while.
 */
export const shareOf = <T>(items: readonly T[], seed: string, count: number): T[] => {
  if (items.length <= count) return [...items];
  const first = hashOf(seed) % items.length;
  return Array.from({ length: count }, (_, at) => items[(first + at) % items.length] as T);
};
