import { servedKind } from '../../kinds/served.ts';
import type { ResourceDefinition } from '../../kube-api/resource.ts';

/** Finds the definition of a kind in a version; undefined if a topology cannot have such objects. */
export type KindOf = (object: { apiVersion: string; kind: string }) => ResourceDefinition | undefined;

/** The kinds of Windlass and, of external providers, these: definitions in each version that is served. */
export const kindsWith =
  (external: readonly ResourceDefinition[]): KindOf =>
  (object) => {
    const { apiVersion, kind } = object;
    const isMeant = (one: ResourceDefinition) => `${one.group}/${one.version}` === apiVersion && one.kind === kind;
    return servedKind(object) ?? external.find(isMeant);
  };

/**
 * The definition by which only the metadata of an object is changed: as it is stored. In another version the object would
 * get that version's defaults, and what is immutable would differ.
 */
export const storedKind = (resource: ResourceDefinition): ResourceDefinition => resource.view?.storage ?? resource;
