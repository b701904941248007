import { servedKind } from '../../kinds/served.ts';
import type { ResourceDefinition } from '../../kube-api/resource.ts';

/** Finds the definition of a kind in a version; undefined if a topology cannot have such objects. */
export type KindOf = (object: { apiVersion: string; kind: string }) => ResourceDefinition | undefined;

/** Returns definitions of Windlass's kinds, and of these kinds of external providers in each served version. */
export const kindsWith =
  (external: readonly ResourceDefinition[]): KindOf =>
  (object) => {
    const { apiVersion, kind } = object;
    const isMeant = (one: ResourceDefinition) => `${one.group}/${one.version}` === apiVersion && one.kind === kind;
    return servedKind(object) ?? external.find(isMeant);
  };

/**
 * The definition with which only the metadata of an object is changed: the stored version. In another version the
 * object would get that version's defaults, and immutable fields would differ.
 */
export const storedKind = (resource: ResourceDefinition): ResourceDefinition => resource.view?.storage ?? resource;
