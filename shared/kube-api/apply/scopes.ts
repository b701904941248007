import type { ResourceDefinition } from '../resource.ts';
import { CONVERSION_DATA } from '../versions/conversion-data.ts';
import type { Comparison } from './compare.ts';
import { createSet, difference, type FieldSet, setOf } from './field-set.ts';
import { type Changes, forEachVersion } from './perspective.ts';

/** Which fields a writer can own at all: the endpoint decides between status and the rest, the server keeps its own. */

export type FieldScope = 'main' | 'status';

const STATUS = 'f:status';

/**
 * Fields that belong to the server, or that every request must name. `f:metadata` itself, not its contents. The
 * conversion annotation depends on the version of an object.
 */
const SERVER_FIELDS = setOf(
  ['f:apiVersion'],
  ['f:kind'],
  ['f:metadata'],
  ['f:metadata', 'f:annotations', `f:${CONVERSION_DATA}`],
  ...[
    'name',
    'namespace',
    'creationTimestamp',
    'selfLink',
    'uid',
    'clusterName',
    'generation',
    'managedFields',
    'resourceVersion',
  ].map((name) => ['f:metadata', `f:${name}`]),
);

export const withoutServerFields = (set: FieldSet): FieldSet => difference(set, SERVER_FIELDS);

/**
 * The part of a set that the endpoint may change. A kind without a status subresource has one endpoint for everything.
 */
export const withinScope = (
  { statusSubresource }: Pick<ResourceDefinition, 'statusSubresource'>,
  scope: FieldScope,
  set: FieldSet,
): FieldSet => {
  const status = set.children.get(STATUS);
  if (scope === 'main') {
    if (!statusSubresource || !status) return set;
    const children = new Map(set.children);
    children.delete(STATUS);
    return { owned: set.owned, children };
  }
  const result = createSet();
  if (status) result.children.set(STATUS, status);
  return result;
};

const comparisonWithin = (
  resource: Pick<ResourceDefinition, 'statusSubresource'>,
  scope: FieldScope,
  { added, modified, removed }: Comparison,
): Comparison => ({
  added: withinScope(resource, scope, added),
  modified: withinScope(resource, scope, modified),
  removed: withinScope(resource, scope, removed),
});

/** The changes that the endpoint may make. */
export const changesWithin = (
  resource: Pick<ResourceDefinition, 'statusSubresource'>,
  scope: FieldScope,
  changes: Changes,
): Changes => forEachVersion((apiVersion) => comparisonWithin(resource, scope, changes(apiVersion)));
