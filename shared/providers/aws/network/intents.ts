import { formatTime } from '../../../kube-api/object.ts';

/**
 * Intents make creations safe for which EC2 has no client token. Before the call a token is recorded in the record of
 * the AWSCluster (shared/plan/memory), by a write that fails when another run recorded one; the resource has the same
 * token as a tag. A run that finds a fresh intent and no resource cannot know whether the call was made, and waits. A
 * run that finds an old one knows that the resource would be visible by now, and creates it. If AWS refuses the call,
 * the intent is withdrawn immediately.
 */

const INTENT_ANNOTATION_PREFIX = 'intent.windlass.dev/';

/**
 * The entry of the AWSCluster's memory that changes whenever intents are recorded or settled. A process that cached the
 * network under another value reads it again.
 */
export const TURN_ANNOTATION = 'windlass.dev/network-turn';

/** The last change of the intents that any run has recorded. */
export const turnOf = (annotations: Readonly<Record<string, string>> = {}): string =>
  annotations[TURN_ANNOTATION] ?? '';

/** Tokens by key. */
export type Intents = Readonly<Record<string, string>>;

/**
 * How long a resource may stay invisible after its creation. EC2 is usually consistent within seconds; a longer wait would
 * only delay those who were killed before the call, and a duplicate that slips through is found and removed.
 */
const VISIBILITY_GRACE_SECONDS = 30;

/** The intents among the annotations of an AWSCluster as the controllers see it. */
export const readIntents = (annotations: Readonly<Record<string, string>> = {}): Intents =>
  Object.fromEntries(
    Object.entries(annotations)
      .filter(([key]) => key.startsWith(INTENT_ANNOTATION_PREFIX))
      .map(([key, token]) => [key.slice(INTENT_ANNOTATION_PREFIX.length), token]),
  );

/** A token: the time, so that tokens sort by age, and something that no other run or no other resource has. */
export const newIntent = (now: Date, unique: string): string => `${formatTime(now)}.${unique}`;

/** What a token has beside the time. */
export const uniqueOf = (token: string): string => token.slice(token.lastIndexOf('.') + 1);

/** True while what the intent announces may exist without being visible. A token that cannot be read is old. */
export const isFresh = (token: string | undefined, now: Date): boolean => {
  const recorded = Date.parse(token?.slice(0, token.lastIndexOf('.')) ?? '');
  return now.getTime() - recorded < VISIBILITY_GRACE_SECONDS * 1000;
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
