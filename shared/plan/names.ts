import { createHash } from 'node:crypto';

/** The characters of Kubernetes' generated names: no vowels, so no words; no 0, 1, 3, so no mistakes. */
const ALPHABET = 'bcdfghjklmnpqrstvwxz2456789';
const SUFFIX_LENGTH = 5;
const MAX_NAME = 63;

/** Five characters in the style of Kubernetes' generated names, always the same for the same seed. */
export const suffixOf = (seed: string): string => {
  const digest = createHash('sha256').update(seed).digest();
  return Array.from({ length: SUFFIX_LENGTH }, (_, at) => ALPHABET[(digest[at] ?? 0) % ALPHABET.length]).join('');
};

/** `<base>-<suffix>`, the base cut so that the name stays a valid label value (63 characters). */
export const childName = (base: string, seed: string): string =>
  `${base.slice(0, MAX_NAME - SUFFIX_LENGTH - 1)}-${suffixOf(seed)}`;

/**
 * Names for `count` new children of an owner. Children have numbered places, a name is a function of owner and place,
 * and the lowest free places are given out: two passes that plan from the same facts, or one that is run twice, choose
 * the same names, so that the second create meets the first instead of adding a machine.
 */
export const freeNames = (
  owner: { name: string; uid: string },
  taken: ReadonlySet<string>,
  count: number,
): string[] => {
  const names: string[] = [];
  const seen = new Set(taken);
  for (let place = 0; names.length < count; place += 1) {
    const name = childName(owner.name, `${owner.uid}/${place}`);
    if (seen.has(name)) continue;
    seen.add(name);
    names.push(name);
  }
  return names;
};
