import type { KubeObject } from '../object.ts';
import type { StorageEvent } from '../storage.ts';
import type { Selection } from './read.ts';

/** What a watcher is sent for a change, if anything. */
export type Visibility = (event: StorageEvent) => StorageEvent | undefined;

/**
 * What a watcher with a selector sees of a change, as upstream: an object that begins to match is ADDED for it, one that
 * ceases to match is DELETED, as it was when it last matched, and one that never matched is not shown. `began` are the
 * objects that the watch began with, undefined where it goes on from a version: nothing is sent that was in them. Where the storage does not
 * know what an object was before, a DELETED too many is sent rather than one too few.
 */
export const createVisibility = (selection: Selection, began: readonly KubeObject[] | undefined): Visibility => {
  const ofAll = selection.changing ? createChangingVisibility(selection, began) : byMatch(selection);
  const isAbout = ({ object }: StorageEvent): boolean => [undefined, object.metadata.name].includes(selection.name);
  const visible: Visibility = (event) => (isAbout(event) ? ofAll(event) : undefined);
  if (!began) return visible;
  const sent = new Map(began.map((item) => [identityOf(item), versionOf(item)]));
  return (event) => (versionOf(event.object) <= (sent.get(identityOf(event.object)) ?? 0) ? undefined : visible(event));
};

const byMatch =
  ({ match }: Selection): Visibility =>
  (event) =>
    match(event.object) ? event : undefined;

const createChangingVisibility = ({ match }: Selection, began: readonly KubeObject[] | undefined): Visibility => {
  /** What the watcher has been sent in this watch and still has, by name; undefined where that was deleted. */
  const sent = new Map<string, KubeObject | undefined>((began ?? []).map((item) => [placeOf(item), item]));
  /** What the watcher has of the name. */
  const before = ({ object, previous, uncertain }: StorageEvent): KubeObject | undefined => {
    const place = placeOf(object);
    if (began || sent.has(place)) return sent.get(place);
    if (uncertain) return object;
    return previous?.find(match);
  };

  return (event) => {
    const { type, object } = event;
    const place = placeOf(object);
    const last = before(event);
    const isSame = last !== undefined && identityOf(last) === identityOf(object);
    if (type !== 'DELETED' && match(object)) {
      const isNew = type === 'ADDED' && !sent.get(place);
      sent.set(place, object);
      return { type: isSame && !isNew ? 'MODIFIED' : 'ADDED', object };
    }
    sent.set(place, undefined);
    return last && { type: 'DELETED', object: type === 'DELETED' && isSame ? object : atVersionOf(last, object) };
  };
};

const placeOf = ({ metadata }: KubeObject): string => `${metadata.namespace ?? ''}/${metadata.name}`;

const identityOf = (object: KubeObject): string => `${placeOf(object)}/${object.metadata.uid}`;

const versionOf = ({ metadata }: KubeObject): number => Number(metadata.resourceVersion);

const atVersionOf = (object: KubeObject, { metadata: { resourceVersion } }: KubeObject): KubeObject => ({
  ...object,
  metadata: { ...object.metadata, resourceVersion },
});
