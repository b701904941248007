/**
 * What selectors could see of an object before its last changes, and of an object that had its name before, stored with
 * the object. For a watch that resumes from a version, it shows whether the client knows the object. An object that no
 * longer matches is reported as DELETED to a client to which it was shown, and not at all to others.
 */
import type { KubeObject } from '../../kube-api/object.ts';
import { type Former, type FormerOf, withParts } from '../../kube-api/selectors/selected-parts.ts';
import type { FormerState, StoredObject } from './codec.ts';

/** More are dropped. Labels rarely change, and a watch rarely lags behind by more than a few changes. */
const FORMER_STATES = 8;
/** They are dropped in batches, so that this only occasionally costs a call. */
export const MOST_FORMER_STATES = 2 * FORMER_STATES;
/** Larger parts are not stored: with sixteen of them, an item stays far below DynamoDB's limit. */
const LARGEST_PARTS_BYTES = 2 * 1024;

export const formerState = ({ parts }: Former, until: number): FormerState =>
  parts && Buffer.byteLength(JSON.stringify(parts)) <= LARGEST_PARTS_BYTES ? { until, parts } : { until };

const UID = '.metadata.uid';

/**
 * The states of `object`, whose remains in `formerly` a new object replaces with the version `until`. Clients may know it
 * until then, not only until its removal: a watch passes that version without having read the tombstone if it finds the
 * new object already, and it does not report that objects expire.
 */
export const statesOfReplaced = (
  object: KubeObject,
  formerly: readonly FormerState[] | undefined,
  formerOf: FormerOf | undefined,
  until: number,
): FormerState[] => {
  const former = formerOf ? (formerOf(object) ?? { parts: {} }) : {};
  const parts = former.parts && { ...former.parts, [UID]: object.metadata.uid ?? null };
  const states = [formerState({ parts }, until), ...(formerly ?? [{ until }])];
  return states.length > MOST_FORMER_STATES ? trimmedStates(states) : states;
};

/** The newest states. The last one says that older ones are unknown. */
export const trimmedStates = (states: readonly FormerState[]): FormerState[] =>
  states.slice(0, FORMER_STATES).map((state, index) => (index < FORMER_STATES - 1 ? state : { until: state.until }));

/**
 * The states of the object from the version `cursor` on, newest first, as far as selectors see them; `object` is the
 * stored one. Undefined if unknown.
 */
export const statesSince = (
  { created, formerly, deletedAt }: Pick<StoredObject, 'created' | 'formerly' | 'deletedAt'>,
  object: KubeObject,
  cursor: number,
): KubeObject[] | undefined => {
  const later = formerly?.filter(({ until }) => until > cursor);
  if (!later || later.some(({ parts }) => parts === undefined)) return undefined;
  const states = [object];
  for (const { parts = {} } of later) states.push(withParts(states.at(-1) ?? object, parts));
  // The stored state is also the former one if this write did not change it: a removal, or a write of other fields.
  const isUnchanged = deletedAt !== undefined || (later.length === 0 && created <= cursor);
  return isUnchanged ? states : states.slice(1);
};

/**
 * The highest version, at most `next`, after which `statesSince` still finds all that was changed after `cursor` in the
 * objects that come later. A client that resumes from a higher one would not learn of a change that was already
 * overwritten when it was read, by a write that is not returned yet.
 */
export const resumableUpTo = (
  items: readonly Pick<StoredObject, 'version' | 'created' | 'formerly'>[],
  cursor: number,
  next: number,
): number => {
  const passed = items
    .filter(({ version }) => version > next)
    .flatMap(({ created, formerly = [] }) => [created, ...formerly.map(({ until }) => until)])
    .filter((version) => version > cursor && version <= next);
  return passed.length === 0 ? next : resumableUpTo(items, cursor, Math.min(...passed) - 1);
};
