import type { KubeObject } from '../object.ts';
import type { ListResult, StorageEvent } from '../storage.ts';
import type { Selection } from './read.ts';

/**
 * What a watcher with a selector sees of a change. An object that begins to match is ADDED for it, one that ceases to
 * match is DELETED. `start` is the state that the storage had when the watch began: for changes up to it nobody knows
 * whether the object matched before, so a DELETED too many is sent rather than one too few.
 */
export const createVisibility = (
  { match, name, changing }: Selection,
  start: ListResult | undefined,
): ((event: StorageEvent) => StorageEvent | undefined) => {
  if (!changing) return (event) => (match(event.object) ? event : undefined);
  const startVersion = Number(start?.resourceVersion ?? '0');
  const shown = new Set((start?.items ?? []).map(identityOf));

  return (event) => {
    const { type, object } = event;
    if (name !== undefined && object.metadata.name !== name) return undefined;
    const identity = identityOf(object);
    const uncertain = Number(object.metadata.resourceVersion) <= startVersion;
    const before = shown.has(identity);
    if (type !== 'DELETED' && match(object)) {
      shown.add(identity);
      return { type: before || uncertain ? type : 'ADDED', object };
    }
    shown.delete(identity);
    return before || uncertain ? { type: 'DELETED', object } : undefined;
  };
};

const identityOf = ({ metadata }: KubeObject): string => `${metadata.namespace ?? ''}/${metadata.name}/${metadata.uid}`;
