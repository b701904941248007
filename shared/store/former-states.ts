/**
 * What selectors could see of an object before its last changes, kept with the object. A watch that goes on from a version
 * finds here whether its client knows the object: an object that does not match now is DELETED for a client to which it
 * was shown, and nothing for all others.
 */
import type { KubeObject } from '../kube-api/object.ts';
import { type Former, type SelectedParts, withParts } from '../kube-api/selectors/selected-parts.ts';
import type { StoredObject } from './codec.ts';

/** What was so until the version `until` was written. Without `parts`, nothing is known of the time before. */
export interface FormerState {
  until: number;
  parts?: SelectedParts;
}

/** More are dropped. Labels seldom change, and a watch seldom lags behind by more than a few changes. */
export const FORMER_STATES = 8;
/** They are dropped in batches, so that it costs a call now and then only. */
export const MOST_FORMER_STATES = 2 * FORMER_STATES;
/** Parts beyond this are not remembered: with sixteen of them an item stays far below what DynamoDB holds. */
const LARGEST_PARTS_BYTES = 2 * 1024;

export const formerState = ({ parts }: Former, until: number): FormerState =>
  parts && Buffer.byteLength(JSON.stringify(parts)) <= LARGEST_PARTS_BYTES ? { until, parts } : { until };

/** The newest states, the last of which says that older ones are not known. */
export const trimmedStates = (states: readonly FormerState[]): FormerState[] =>
  states.slice(0, FORMER_STATES).map((state, index) => (index < FORMER_STATES - 1 ? state : { until: state.until }));

/**
 * The object as it was at the version `cursor`, in what selectors look at; `object` is what is stored now. Undefined
 * where it was not there, `unknown` where nobody knows.
 */
export const stateAt = (
  { created, formerly }: Pick<StoredObject, 'created' | 'formerly'>,
  object: KubeObject,
  cursor: number,
): KubeObject | undefined | 'unknown' => {
  if (created > cursor) return undefined;
  if (!formerly) return 'unknown';
  const later = formerly.filter(({ until }) => until > cursor);
  if (later.some(({ parts }) => parts === undefined)) return 'unknown';
  return later.reduce((known, { parts = {} }) => withParts(known, parts), object);
};
