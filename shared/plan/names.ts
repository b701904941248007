import { createHash } from 'node:crypto';
import { MAX_NAME, NameTemplateError, type NameVariables, nameTemplate } from '../kinds/rules/name-template.ts';
import { checkSubdomain } from '../kube-api/names.ts';

/**
 * The characters of Kubernetes' generated names: no vowels, so that there are no words, and no 0, 1 or 3, which look
 * like letters.
 */
const ALPHABET = 'bcdfghjklmnpqrstvwxz2456789';
const SUFFIX_LENGTH = 5;

/** Five characters in the style of Kubernetes' generated names, always the same for the same seed. */
export const suffixOf = (seed: string): string => {
  const digest = createHash('sha256').update(seed).digest();
  return Array.from({ length: SUFFIX_LENGTH }, (_, at) => ALPHABET[(digest[at] ?? 0) % ALPHABET.length]).join('');
};

/** A number of 32 bits, always the same for the same text; never 0. */
export const hashOf = (text: string): number => createHash('sha256').update(text).digest().readUInt32BE() || 1;

/** The beginning of a child's name, cut so that the complete name is a valid label value (63 characters). */
const stemOf = (base: string): string => `${base.slice(0, MAX_NAME - SUFFIX_LENGTH - 1)}-`;

/** `<base>-<suffix>`, at most 63 characters. */
export const childName = (base: string, seed: string): string => `${stemOf(base)}${suffixOf(seed)}`;

/** A name template, such as `{{ .machineSet.name }}-{{ .random }}`, and the values of its variables. */
export interface Naming {
  template: string;
  variables: NameVariables;
}

/**
 * The name from a template, with its random part derived from `seed`. Throws NameTemplateError, also if no object can
 * have the name: admission has only tried the template with other names.
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
 * Why an owner's template gives no machine names, in upstream's words; undefined if it gives names or there is no
 * template. Admission has tested it with sample names, and it may behave differently with the names of this owner.
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

/** The maximum number of positions that are tried: more than the number of machines of any owner. */
const MOST_PLACES = 5000;

/**
 * The position, from `first` on, of a machine's name. If the owner has a name template, only the random part is
 * compared. Undefined for a name that `freeNames` did not create, or with a lower position.
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
 * position, and the lowest free positions are used. So two passes that plan from the same facts, or one that runs
 * twice, choose the same names, and the second create finds the first machine instead of adding another. `first`:
 * positions below it are used up (memory/used-places.ts), because a name must not be reused for another machine: it
 * identifies nodes, instances and everything that watches them. `naming`: the owner's own name template; without it,
 * `<owner>-{{ .random }}`. There are fewer names than requested if a template gives too few different valid ones.
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
  // Five random characters rarely collide. A template without them gives the same name at every position.
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
