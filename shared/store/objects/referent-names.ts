import { createHash } from 'node:crypto';
import type { KubeObject } from '../../kube-api/object.ts';
import { REFERRING_KINDS, type Referent, referentsOf } from '../../plan/references.ts';

/** A write is billed by the kilobyte. Names that look the same only make a list longer than necessary. */
const CHARACTERS = 8;

/** An item of more would grow without limit: its body is compressed, and the names cannot be. */
const MOST = 200;

/** Classes lead from templates to the clusters of all namespaces that use them, so they are read on their own. */
const NAMING_KINDS: readonly string[] = [...REFERRING_KINDS, 'ClusterClass'];

const shortName = ({ kind, name }: Referent): string =>
  createHash('sha256').update(`${kind}/${name}`).digest('base64url').slice(0, CHARACTERS);

/**
 * The names of what an object refers to, short and separated by commas. Undefined for kinds that refer to nothing, and for
 * an object that refers to more than 200: lists then never leave it out.
 */
export const referentNames = (object: KubeObject): string | undefined => {
  if (!NAMING_KINDS.includes(object.kind)) return undefined;
  const referents = referentsOf(object);
  return referents.length > MOST ? undefined : [...new Set(referents.map(shortName))].join();
};

/** DynamoDB takes 300 operators in an expression. For more targets nothing is left out. */
const MOST_TARGETS = 100;

/**
 * Part of a filter: objects that may refer to one of `targets`. An earlier release writes no names, and leaves those that
 * it finds as they are; therefore they count only for the version that they were written with. Undefined for too many.
 */
export const mayReferTo = (targets: readonly Referent[]) => {
  if (targets.length > MOST_TARGETS) return undefined;
  const named = targets.map((_, index) => `contains(referents, :referent${index})`);
  return {
    expression: `(${['attribute_not_exists(referents)', 'referentsAt <> version', ...named].join(' OR ')})`,
    values: Object.fromEntries(targets.map((target, index) => [`:referent${index}`, shortName(target)])),
  };
};
