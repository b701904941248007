import { createHash } from 'node:crypto';
import type { KubeObject } from '../../kube-api/object.ts';
import { REFERRING_KINDS, type Referent, referentsOf } from '../../plan/references.ts';

/** A write is billed by the kilobyte. Names that look the same only make a list longer than necessary. */
const CHARACTERS = 8;

/** An item of more would grow without limit: its body is compressed, and the names cannot be. */
const MOST = 200;

/** Classes lead from templates to the clusters of all namespaces that use them, so they are read on their own. */
const NAMING_KINDS: readonly string[] = [...REFERRING_KINDS, 'ClusterClass'];

/**
 * Begins the names of an object. It must change with what `referentsOf` finds or how names are shortened: then objects
 * that were written before are not left out until they are written again.
 */
const RULES = '2:';

const shortName = ({ kind, name }: Referent): string =>
  createHash('sha256').update(`${kind}/${name}`).digest('base64url').slice(0, CHARACTERS);

/**
 * The names of what an object refers to, short and separated by commas. Undefined for kinds that refer to nothing, and for
 * an object that refers to more than 200: lists then never leave it out.
 */
export const referentNames = (object: KubeObject): string | undefined => {
  if (!NAMING_KINDS.includes(object.kind)) return undefined;
  const referents = referentsOf(object);
  return referents.length > MOST ? undefined : `${RULES}${[...new Set(referents.map(shortName))].join()}`;
};

/** When the names of an object say nothing. */
const UNKNOWN = [
  'attribute_not_exists(referents)',
  'referentsAt <> version',
  'NOT begins_with(referents, :rules)',
] as const;

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
    expression: `(${[...UNKNOWN, ...named].join(' OR ')})`,
    values: {
      ':rules': RULES,
      ...Object.fromEntries(targets.map((target, index) => [`:referent${index}`, shortName(target)])),
    },
  };
};
