import { createHash } from 'node:crypto';
import type { KubeObject } from '../kube-api/object.ts';
import { REFERRING_KINDS, type Referent, referentsOf } from '../plan/references.ts';

/** A write is billed by the kilobyte. Names that look the same only make a list longer than necessary. */
const CHARACTERS = 8;

const shortName = ({ kind, name }: Referent): string =>
  createHash('sha256').update(`${kind}/${name}`).digest('base64url').slice(0, CHARACTERS);

/** The names of what an object refers to, short and separated by commas; undefined for kinds that refer to nothing. */
export const referentNames = (object: KubeObject): string | undefined =>
  REFERRING_KINDS.includes(object.kind) ? [...new Set(referentsOf(object).map(shortName))].join() : undefined;

/**
 * Part of a filter: objects that may refer to `target`. An earlier release writes no names, and leaves those that it
 * finds as they are; therefore they count only for the version that they were written with.
 */
export const mayReferTo = (target: Referent) => ({
  expression: '(attribute_not_exists(referents) OR referentsAt <> version OR contains(referents, :referent))',
  values: { ':referent': shortName(target) },
});
