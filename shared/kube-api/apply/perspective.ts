import { ConversionError } from '../custom/conversion/error.ts';
import { apiVersionOf } from '../decode.ts';
import type { JsonObject } from '../json.ts';
import type { KubeObject } from '../object.ts';
import type { Conversions, ResourceDefinition } from '../resource.ts';
import { withMetadata } from '../schema/metadata.ts';
import { fromStorage } from '../versions/convert.ts';
import { servedResources } from '../versions/served.ts';
import { type Comparison, compare } from './compare.ts';

/**
 * Managers own fields in the version that they write; the changes of a write are computed in each of those versions.
 */

const served = new WeakMap<ResourceDefinition, Map<string, ResourceDefinition>>();

/** The definitions of a stored resource in all versions that it is served in, by their API versions. */
const versionsOf = (resource: ResourceDefinition): Map<string, ResourceDefinition> => {
  const all = () => resource.custom?.served() ?? servedResources([resource]);
  const known = served.get(resource) ?? new Map(all().map((version) => [apiVersionOf(version), version]));
  served.set(resource, known);
  return known;
};

/** The definition of a stored resource in a version in which it is served; for any other version, the stored one. */
export const definitionIn = (resource: ResourceDefinition, apiVersion: string): ResourceDefinition =>
  versionsOf(resource).get(apiVersion) ?? resource;

export const isServed = (resource: ResourceDefinition, apiVersion: string): boolean =>
  versionsOf(resource).has(apiVersion);

export const withoutManagedFields = ({ metadata, ...rest }: KubeObject): JsonObject => {
  const { managedFields: _, ...kept } = metadata;
  return { ...rest, metadata: kept };
};

/** Of a kind that a webhook converts. Throws a ConversionError with upstream's prefix. */
const convertedTo = (conversions: Conversions, object: JsonObject, apiVersion: string, state: string): JsonObject => {
  try {
    return conversions.see(object as unknown as KubeObject, apiVersion) as object as JsonObject;
  } catch (error) {
    if (!(error instanceof ConversionError)) throw error;
    throw new ConversionError(`failed to convert ${state} object: ${error.message}`);
  }
};

/** The changes of a write, as seen in an API version in which the resource is served. */
export type Changes = (apiVersion: string) => Comparison;

/** The result of `compute` for each API version, computed once: thousands of managers may share a version. */
export const forEachVersion = <T>(compute: (apiVersion: string) => T): ((apiVersion: string) => T) => {
  const known = new Map<string, T>();
  return (apiVersion) => {
    const found = known.get(apiVersion) ?? compute(apiVersion);
    known.set(apiVersion, found);
    return found;
  };
};

/** Compares two stored states (`live` is undefined for a creation) in each requested version, once. */
export const changesBetween = (
  resource: ResourceDefinition,
  live: KubeObject | undefined,
  next: KubeObject,
): Changes => {
  const conversions = resource.custom?.conversions;
  const see = (version: ResourceDefinition, object: KubeObject | undefined): JsonObject => {
    if (!object) return version.zero ?? {};
    const bare = withoutManagedFields(object);
    if (conversions) return convertedTo(conversions, bare, apiVersionOf(version), object === live ? 'old' : 'new');
    return version.view ? withoutManagedFields(fromStorage(version.view, object)) : bare;
  };
  return forEachVersion((apiVersion) => {
    const version = definitionIn(resource, apiVersion);
    return compare(withMetadata(version.schema), see(version, live), see(version, next));
  });
};
