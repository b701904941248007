import { formatTime } from '../../../kube-api/object.ts';

/**
 * Intents make creations safe for which EC2 has no client token. Before the call, a token is stored in the record of
 * the AWSCluster (shared/plan/memory), by a write that fails if another run has stored one; the resource has the same
 * token as a tag. A run that finds a fresh intent and no resource cannot know whether the call was made, and waits. A
 * run that finds an old intent knows that the resource would be visible by now, and creates it. If AWS refuses the
 * call, the intent is withdrawn immediately.
 */

const INTENT_ANNOTATION_PREFIX = 'intent.windlass.dev/';

/**
 * The entry in the AWSCluster's record that changes whenever intents are recorded or settled. A process that has cached
 * the network under another value reads it again.
 */
export const TURN_ANNOTATION = 'windlass.dev/network-turn';

/** The last recorded change of the intents, by any run. */
export const turnOf = (annotations: Readonly<Record<string, string>> = {}): string =>
  annotations[TURN_ANNOTATION] ?? '';

/** Tokens by key. */
export type Intents = Readonly<Record<string, string>>;

/**
 * How long a resource may stay invisible after its creation. EC2 is usually consistent within seconds. A longer wait
 * would only delay runs after one that was interrupted before the call; a duplicate that is created nevertheless is
 * found and removed.
 */
const VISIBILITY_GRACE_SECONDS = 30;

/** The intents among the annotations of an AWSCluster in the controllers' view. */
export const readIntents = (annotations: Readonly<Record<string, string>> = {}): Intents =>
  Object.fromEntries(
    Object.entries(annotations)
      .filter(([key]) => key.startsWith(INTENT_ANNOTATION_PREFIX))
      .map(([key, token]) => [key.slice(INTENT_ANNOTATION_PREFIX.length), token]),
  );

/** A token: the time, so that tokens sort by age, and a part that is unique to this run and resource. */
export const newIntent = (now: Date, unique: string): string => `${formatTime(now)}.${unique}`;

/** The unique part of a token. */
export const uniqueOf = (token: string): string => token.slice(token.lastIndexOf('.') + 1);

/** The time of a token, RFC 3339; empty if the token is unreadable. */
export const intendedAt = (token: string): string => token.slice(0, Math.max(0, token.lastIndexOf('.')));

/**
 * True while the intended resource may exist without being visible, by default for as long as it is uncertain whether it
 * was created. An unreadable token counts as old.
 */
export const isFresh = (token: string | undefined, now: Date, seconds: number = VISIBILITY_GRACE_SECONDS): boolean => {
  const recorded = Date.parse(intendedAt(token ?? ''));
  return now.getTime() - recorded < seconds * 1000;
};

/** `annotations` with the given intents added (or, if the token is undefined, removed). */
export const withIntents = (
  annotations: Readonly<Record<string, string>> = {},
  changes: Readonly<Record<string, string | undefined>>,
): Record<string, string> => {
  const keyed = Object.entries(changes).map(([key, token]) => [INTENT_ANNOTATION_PREFIX + key, token] as const);
  const merged = { ...annotations, ...Object.fromEntries(keyed) };
  return Object.fromEntries(
    Object.entries(merged).flatMap(([key, value]) => (value === undefined ? [] : [[key, value]])),
  );
};
