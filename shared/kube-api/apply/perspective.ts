import { apiVersionOf } from '../decode.ts';
import type { JsonObject } from '../json.ts';
import type { KubeObject } from '../object.ts';
import type { ResourceDefinition } from '../resource.ts';
import { withMetadata } from '../schema/metadata.ts';
import { fromStorage } from '../versions/convert.ts';
import { servedResources } from '../versions/served.ts';
import { type Comparison, compare } from './compare.ts';

/** Managers own fields of the version that they write; a write's changes are computed in each of those versions. */

const served = new WeakMap<ResourceDefinition, Map<string, ResourceDefinition>>();

/** The definitions of a stored resource in all versions that it is served in, by their API versions. */
const versionsOf = (resource: ResourceDefinition): Map<string, ResourceDefinition> => {
  const all = () => resource.custom?.served() ?? servedResources([resource]);
  const known = served.get(resource) ?? new Map(all().map((version) => [apiVersionOf(version), version]));
  served.set(resource, known);
  return known;
};

/** The definition of a stored resource in a version that it is served in; as it is stored for any other. */
export const definitionIn = (resource: ResourceDefinition, apiVersion: string): ResourceDefinition =>
  versionsOf(resource).get(apiVersion) ?? resource;

export const isServed = (resource: ResourceDefinition, apiVersion: string): boolean =>
  versionsOf(resource).has(apiVersion);

export const withoutManagedFields = ({ metadata, ...rest }: KubeObject): JsonObject => {
  const { managedFields: _, ...kept } = metadata;
  return { ...rest, metadata: kept };
};

/** What a write changes, as seen in an API version that the resource is served in. */
export type Changes = (apiVersion: string) => Comparison;

/** Compares two stored states (`live` is undefined for a creation) in each requested version, once. */
export const changesBetween = (
  resource: ResourceDefinition,
  live: KubeObject | undefined,
  next: KubeObject,
): Changes => {
  const known = new Map<string, Comparison>();
  const see = (version: ResourceDefinition, object: KubeObject | undefined): JsonObject => {
    if (!object) return version.zero ?? {};
    return withoutManagedFields(version.view ? fromStorage(version.view, object) : object);
  };
  return (apiVersion) => {
    const version = definitionIn(resource, apiVersion);
    const found =
      known.get(apiVersion) ?? compare(withMetadata(version.schema), see(version, live), see(version, next));
    known.set(apiVersion, found);
    return found;
  };
};
