import type { KubeObject } from '../object.ts';
import type { ListResult, StorageEvent } from '../storage.ts';
import type { Selection } from './read.ts';

/** What a watcher is sent for a change, if anything. */
export type Visibility = (event: StorageEvent) => StorageEvent | undefined;

/**
 * What a watcher with a selector sees of a change. An object that begins to match is ADDED for it, one that ceases to
 * match is DELETED, as it was when it last matched. `start` is the state that the storage had when the watch began: for
 * changes up to it nobody knows whether the object matched before, unless the storage does, so a DELETED too many is
 * sent rather than one too few. Where the watch `began` with that state, nothing is sent that was in it.
 */
export const createVisibility = (selection: Selection, start: ListResult | undefined, began: boolean): Visibility => {
  const visible = selection.changing ? createChangingVisibility(selection, start) : byMatch(selection);
  if (!began) return visible;
  const sent = new Map((start?.items ?? []).map((item) => [identityOf(item), versionOf(item)]));
  return (event) => (versionOf(event.object) <= (sent.get(identityOf(event.object)) ?? 0) ? undefined : visible(event));
};

const byMatch =
  ({ match }: Selection): Visibility =>
  (event) =>
    match(event.object) ? event : undefined;

const createChangingVisibility = ({ match, name }: Selection, start: ListResult | undefined): Visibility => {
  const startVersion = Number(start?.resourceVersion ?? '0');
  const shown = new Map((start?.items ?? []).map((item) => [identityOf(item), item]));
  /** What the watcher has of the object. */
  const before = ({ type, object, previous }: StorageEvent): KubeObject | undefined => {
    if (previous) return match(previous) ? previous : undefined;
    const isUncertain = type !== 'ADDED' && versionOf(object) <= startVersion;
    return shown.get(identityOf(object)) ?? (isUncertain ? object : undefined);
  };

  return (event) => {
    const { type, object } = event;
    if (name !== undefined && object.metadata.name !== name) return undefined;
    const identity = identityOf(object);
    const last = before(event);
    if (type !== 'DELETED' && match(object)) {
      shown.set(identity, object);
      return { type: last ? type : 'ADDED', object };
    }
    shown.delete(identity);
    return last && { type: 'DELETED', object: type === 'DELETED' ? object : atVersionOf(last, object) };
  };
};

const identityOf = ({ metadata }: KubeObject): string => `${metadata.namespace ?? ''}/${metadata.name}/${metadata.uid}`;

const versionOf = ({ metadata }: KubeObject): number => Number(metadata.resourceVersion);

const atVersionOf = (object: KubeObject, { metadata: { resourceVersion } }: KubeObject): KubeObject => ({
  ...object,
  metadata: { ...object.metadata, resourceVersion },
});
