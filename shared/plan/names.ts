import { createHash } from 'node:crypto';
import { MAX_NAME, NameTemplateError, type NameVariables, nameTemplate } from '../kinds/rules/name-template.ts';
import { checkSubdomain } from '../kube-api/names.ts';

/** The characters of Kubernetes' generated names: no vowels, so no words; no 0, 1, 3, so no mistakes. */
const ALPHABET = 'bcdfghjklmnpqrstvwxz2456789';
const SUFFIX_LENGTH = 5;

/** Five characters in the style of Kubernetes' generated names, always the same for the same seed. */
export const suffixOf = (seed: string): string => {
  const digest = createHash('sha256').update(seed).digest();
  return Array.from({ length: SUFFIX_LENGTH }, (_, at) => ALPHABET[(digest[at] ?? 0) % ALPHABET.length]).join('');
};

/** A number of 32 bits, always the same for the same text; never 0. */
export const hashOf = (text: string): number => createHash('sha256').update(text).digest().readUInt32BE() || 1;

/** The beginning of a child's name, cut so that the whole is a valid label value (63 characters). */
const stemOf = (base: string): string => `${base.slice(0, MAX_NAME - SUFFIX_LENGTH - 1)}-`;

/** `<base>-<suffix>`, at most 63 characters. */
export const childName = (base: string, seed: string): string => `${stemOf(base)}${suffixOf(seed)}`;

/** A name template, `{{ .machineSet.name }}-{{ .random }}`, and the values of its variables. */
export interface Naming {
  template: string;
  variables: NameVariables;
}

/**
 * The name that a template gives, its random part from `seed`. Throws NameTemplateError, also for a name that no object
 * can have: admission has tried the template with other names.
 */
export const templatedName = ({ template, variables }: Naming, seed: string): string => {
  const name = nameTemplate(template)(variables, suffixOf(seed));
  const [fault] = checkSubdomain(name);
  if (fault !== undefined) throw new NameTemplateError(`the name ${JSON.stringify(name)} is not valid: ${fault}`);
  return name;
};

/** The name from a template; undefined if it gives none, which the owner reports (`namingFault`). */
const nameIfAny = (naming: Naming, seed: string): string | undefined => {
  try {
    return templatedName(naming, seed);
  } catch (error) {
    if (error instanceof NameTemplateError) return undefined;
    throw error;
  }
};

/**
 * Why an owner's template gives no machine names, with upstream's message; undefined if it does, or there is none.
 * Admission has tested it with sample names, and it may behave differently for the names of this owner.
 */
export const namingFault = (naming: Naming | undefined, uid: string): string | undefined => {
  try {
    if (naming) templatedName(naming, uid);
    return undefined;
  } catch (error) {
    if (error instanceof NameTemplateError) return `failed to generate Machine name: ${error.message}`;
    throw error;
  }
};

const SPARE_PLACES = 100;

const seedOf = ({ uid }: { uid: string }, place: number): string => `${uid}/${place}`;

/** The maximum number of positions that are tried: more than any owner has machines. */
const MOST_PLACES = 5000;

/**
 * The position, from `first` on, of a machine's name. If the owner has a name template, only the random part is
 * compared. Undefined for a name that `freeNames` did not create, or at a lower position.
 */
export const placeOfName = (owner: { name: string; uid: string }, name: string, first: number): number | undefined => {
  const stem = stemOf(owner.name);
  const suffix = name.startsWith(stem) ? name.slice(stem.length) : undefined;
  let templated: number | undefined;
  for (let place = first; place < first + MOST_PLACES; place += 1) {
    const own = suffixOf(seedOf(owner, place));
    if (own === suffix) return place;
    if (name.includes(own)) templated ??= place;
    if (templated !== undefined && suffix === undefined) break;
  }
  return templated;
};

/**
 * Names for `count` new children of an owner. Children have numbered positions, a name is a function of owner and
 * position, and the lowest free positions are used: two passes that plan from the same facts, or one that runs twice,
 * choose the same names, so that the second create finds the first instead of adding a machine. `first`: positions
 * below it are used up (memory/used-places.ts), because a name must not be reused for another machine: nodes, instances
 * and everything that watches them are identified by it. `naming`: the owner's own name template, `<owner>-{{ .random
 * }}` without. There are fewer names than requested if a template gives too few different valid ones.
 */
export const freeNames = (
  owner: { name: string; uid: string },
  taken: ReadonlySet<string>,
  count: number,
  naming?: Naming,
  first = 0,
): string[] => {
  const names: string[] = [];
  const seen = new Set(taken);
  // Five characters rarely collide; a template without them gives the same name at every position.
  const places = first + 2 * (count + taken.size) + SPARE_PLACES;
  for (let place = first; names.length < count && place < places; place += 1) {
    const seed = seedOf(owner, place);
    const name = naming ? nameIfAny(naming, seed) : childName(owner.name, seed);
    if (name === undefined || seen.has(name)) continue;
    seen.add(name);
    names.push(name);
  }
  return names;
};
