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
