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

/** A number of 32 bits, always the same for the same text; never 0. */
export const hashOf = (text: string): number => createHash('sha256').update(text).digest().readUInt32BE() || 1;

/** `<base>-<suffix>`, the base cut so that the name stays a valid label value (63 characters). */
export const childName = (base: string, seed: string): string =>
  `${base.slice(0, MAX_NAME - SUFFIX_LENGTH - 1)}-${suffixOf(seed)}`;

/** What the variables of a naming template stand for, `{ 'cluster.name': 'demo', 'machineSet.name': 'workers-x' }`. */
export type NameVariables = Readonly<Record<string, string>>;

const VARIABLE = /\{\{-?\s*\.([\w.]+)\s*-?\}\}/g;

/**
 * The name that a naming template gives, `{{ .machineSet.name }}-{{ .random }}`. One that is too long for a label value
 * is cut and gets the random part at its end, as upstream does it. Admission has checked the variables.
 */
export const templatedName = (template: string, variables: NameVariables, seed: string): string => {
  const random = suffixOf(seed);
  const name = template.replace(VARIABLE, (_, key: string) => (key === 'random' ? random : (variables[key] ?? '')));
  return name.length <= MAX_NAME ? name : `${name.slice(0, MAX_NAME - SUFFIX_LENGTH)}${random}`;
};

const SPARE_PLACES = 100;

const seedOf = ({ uid }: { uid: string }, place: number): string => `${uid}/${place}`;

/** So many places are looked at: more than any owner has machines. */
const MOST_PLACES = 5000;

/**
 * The place from `first` on whose name a machine has. Where the owner has a template for names only the random part is
 * compared. Undefined for a name that was not given by `freeNames`, or at a place below.
 */
export const placeOfName = (owner: { name: string; uid: string }, name: string, first: number): number | undefined => {
  const end = first + MOST_PLACES;
  for (let place = first; place < end; place += 1)
    if (childName(owner.name, seedOf(owner, place)) === name) return place;
  for (let place = first; place < end; place += 1) if (name.includes(suffixOf(seedOf(owner, place)))) return place;
  return undefined;
};

/**
 * Names for `count` new children of an owner. Children have numbered places, a name is a function of owner and place,
 * and the lowest free places are given out: two passes that plan from the same facts, or one that is run twice, choose
 * the same names, so that the second create meets the first instead of adding a machine.
 * `first`: places below it are used up (memory/used-places.ts), because a name must not come back for another machine:
 * nodes, instances and everything that watches them go by it.
 * `naming`: the owner's own template for names, `<owner>-{{ .random }}` without. There are fewer names than asked for where
 * a template gives too few different ones.
 */
export const freeNames = (
  owner: { name: string; uid: string },
  taken: ReadonlySet<string>,
  count: number,
  naming?: { template: string; variables: NameVariables },
  first = 0,
): string[] => {
  const names: string[] = [];
  const seen = new Set(taken);
  // Five characters seldom meet; a template without them gives the same name at every place.
  const places = first + 2 * (count + taken.size) + SPARE_PLACES;
  for (let place = first; names.length < count && place < places; place += 1) {
    const seed = seedOf(owner, place);
    const name = naming ? templatedName(naming.template, naming.variables, seed) : childName(owner.name, seed);
    if (seen.has(name)) continue;
    seen.add(name);
    names.push(name);
  }
  return names;
};
