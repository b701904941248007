import type { KubeObject, ObjectMeta } from '../object.ts';
import type { Match } from '../selectors/label-selector.ts';
import type { StorageEvent } from '../storage/storage.ts';
import type { Selection } from './read.ts';
import { createSentStates, type Sent } from './sent-states.ts';

/** The event that a watcher gets for a change, if any. */
export type Visibility = (event: StorageEvent) => StorageEvent | undefined;

/**
 * A change as seen by a watcher with a selector. As in upstream, an object that starts to match is ADDED; one that
 * stops matching is DELETED, in the state in which it last matched; and one that never matched is not shown. `began`
 * are the objects with which the watch started, or undefined if it resumes from a version: events that they already
 * include are not sent. If the storage does not know the previous state of an object, a superfluous DELETED is sent
 * rather than none.
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
  /** What the watcher has received in this watch, by name. */
  const sent = createSentStates();
  for (const item of began ?? []) sent.set(placeOf(item), item);
  /** The watcher's state of the name. */
  const before = (event: StorageEvent): KubeObject | undefined => {
    const { object, uncertain } = event;
    const place = placeOf(object);
    if (began || sent.has(place)) return lastShown(event, match, sent.get(place));
    return uncertain ? object : lastMatching(event, match);
  };

  return (event) => {
    const { type, object } = event;
    const place = placeOf(object);
    const last = before(event);
    const isSame = last !== undefined && identityOf(last) === identityOf(object);
    if (type !== 'DELETED' && match(object)) {
      const isNew = type === 'ADDED' && sent.get(place) === undefined;
      sent.set(place, object);
      return { type: isSame && !isNew ? 'MODIFIED' : 'ADDED', object };
    }
    sent.set(place, undefined);
    return last && { type: 'DELETED', object: type === 'DELETED' && isSame ? object : atVersionOf(last, object) };
  };
};

/**
 * The state that was sent. If it was not kept, the state in which the storage knows that the object last matched, or
 * else the current one, or the certain parts of an object whose name another one has now.
 */
const lastShown = (event: StorageEvent, match: Match, sent: Sent | undefined): KubeObject | undefined => {
  if (!sent || sent.state) return sent?.state;
  const found = lastMatching(event, (state) => uidOf(state) === sent.uid && match(state));
  const { object } = event;
  return found ?? (uidOf(object) === sent.uid ? object : certainParts(object, { uid: sent.uid }));
};

/** The newest of the previous states that matches; only its certain parts if another object has its name now. */
const lastMatching = ({ object, previous }: StorageEvent, match: Match): KubeObject | undefined => {
  const found = previous?.find(match);
  return found && uidOf(found) !== uidOf(object) ? certainParts(object, found.metadata) : found;
};

/** What is certain of a replaced object, of which the storage only knows what selectors use. */
const certainParts = (
  { apiVersion, kind, metadata: { name, namespace } }: KubeObject,
  { uid, labels }: Pick<ObjectMeta, 'uid' | 'labels'>,
): KubeObject => ({ apiVersion, kind, metadata: { name, namespace, uid, labels } });

const uidOf = ({ metadata }: KubeObject): string => metadata.uid ?? '';

const placeOf = ({ metadata }: KubeObject): string => `${metadata.namespace ?? ''}/${metadata.name}`;

const identityOf = (object: KubeObject): string => `${placeOf(object)}/${object.metadata.uid}`;

const versionOf = ({ metadata }: KubeObject): number => Number(metadata.resourceVersion);

const atVersionOf = (object: KubeObject, { metadata: { resourceVersion } }: KubeObject): KubeObject => ({
  ...object,
  metadata: { ...object.metadata, resourceVersion },
});
