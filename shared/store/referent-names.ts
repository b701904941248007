import { createHash } from 'node:crypto';
import type { KubeObject } from '../kube-api/object.ts';
import { REFERRING_KINDS, type Referent, referentsOf } from '../plan/references.ts';

/** A write is billed by the kilobyte. Names that look the same only make a list longer than necessary. */
const CHARACTERS = 8;

/** An item of more would grow without limit: its body is compressed, and the names cannot be. */
const MOST = 200;

const shortName = ({ kind, name }: Referent): string =>
  createHash('sha256').update(`${kind}/${name}`).digest('base64url').slice(0, CHARACTERS);

/**
 * The names of what an object refers to, short and separated by commas. Undefined for kinds that refer to nothing, and for
 * an object that refers to more than 200: lists then never leave it out.
 */
export const referentNames = (object: KubeObject): string | undefined => {
  if (!REFERRING_KINDS.includes(object.kind)) return undefined;
  const referents = referentsOf(object);
  return referents.length > MOST ? undefined : [...new Set(referents.map(shortName))].join();
};

/**
 * Part of a filter: objects that may refer to `target`. An earlier release writes no names, and leaves those that it
 * finds as they are; therefore they count only for the version that they were written with.
 */
export const mayReferTo = (target: Referent) => ({
  expression: '(attribute_not_exists(referents) OR referentsAt <> version OR contains(referents, :referent))',
  values: { ':referent': shortName(target) },
});
