import { createHash } from 'node:crypto';
import type { KubeObject } from '../../kube-api/object.ts';
import { REFERRING_KINDS, type Referent, referentsOf } from '../../plan/references.ts';

/** Writes are billed by the kilobyte. Equal short forms of different names only make a list longer than necessary. */
const CHARACTERS = 8;

/** Above this number an item would grow without limit: the body is compressed, but the names cannot be. */
const MOST = 200;

/** Classes lead from templates to the clusters in all namespaces that use them, so they are read separately. */
const NAMING_KINDS: readonly string[] = [...REFERRING_KINDS, 'ClusterClass'];

/**
 * A prefix of an object's names. It must change whenever the results of `referentsOf` or the short forms change: then
 * objects that were written before are not left out until they are written again.
 */
const RULES = '2:';

const shortName = ({ kind, name }: Referent): string =>
  createHash('sha256').update(`${kind}/${name}`).digest('base64url').slice(0, CHARACTERS);

/**
 * The names of the objects to which an object refers, in short form and separated by commas. Undefined for kinds that
 * refer to nothing, and for an object with more than 200 references: lists then never leave it out.
 */
export const referentNames = (object: KubeObject): string | undefined => {
  if (!NAMING_KINDS.includes(object.kind)) return undefined;
  const referents = referentsOf(object);
  return referents.length > MOST ? undefined : `${RULES}${[...new Set(referents.map(shortName))].join()}`;
};

/** Conditions under which an object's names are not valid. */
const UNKNOWN = [
  'attribute_not_exists(referents)',
  'referentsAt <> version',
  'NOT begins_with(referents, :rules)',
] as const;

/** DynamoDB accepts 300 operators in an expression. For more targets, nothing is left out. */
const MOST_TARGETS = 100;

/**
 * Part of a filter that selects objects that may refer to one of `targets`. An earlier release writes no names, and
 * leaves existing ones as they are; therefore names only count for the version with which they were written. Undefined
 * for too many targets.
 */
export const mayReferTo = (targets: readonly Referent[]) => {
  if (targets.length > MOST_TARGETS) return undefined;
  const named = targets.map((_, index) => `contains(referents, :referent${index})`);
  return {
    expression: `(${[...UNKNOWN, ...named].join(' OR ')})`,
    values: {
      ':rules': RULES,
      ...Object.fromEntries(targets.map((target, index) => [`:referent${index}`, shortName(target)])),
    },
  };
};
