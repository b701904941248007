import { readJson } from '../../decode/json.ts';
import type { KubeObject } from '../object.ts';

/** What a watcher has received for a name. */
export interface Sent {
  readonly uid: string;
  /** Undefined if it takes too much memory. */
  readonly state: KubeObject | undefined;
}

export interface SentStates {
  /** Whether anything was sent for this name, including its deletion. */
  has(place: string): boolean;
  /** Undefined if nothing was sent, or if its deletion was sent last. */
  get(place: string): Sent | undefined;
  /** Undefined for a deletion. */
  set(place: string, object: KubeObject | undefined): void;
}

/** Characters of JSON: watches are served by a function of 128 MB. A Machine has a few thousand. */
const MOST_OF_ONE = 64_000;
const MOST_OF_ALL = 4_000_000;

/**
 * The states that a watch has sent. They are kept as text, because an object can take twenty times the memory of its
 * JSON. For large ones, and for the oldest if all of them take more than `most` characters, only the uid is kept.
 */
export const createSentStates = (most = MOST_OF_ALL): SentStates => {
  const sent = new Map<string, string | undefined>();
  const texts = new Map<string, string>();
  let total = 0;
  const forget = (place: string): void => {
    total -= texts.get(place)?.length ?? 0;
    texts.delete(place);
  };
  const remember = (place: string, text: string): void => {
    if (text.length > MOST_OF_ONE) return;
    texts.set(place, text);
    total += text.length;
    for (const oldest of texts.keys()) {
      if (total <= most) return;
      forget(oldest);
    }
  };
  return {
    has: (place) => sent.has(place),
    get: (place) => {
      const uid = sent.get(place);
      if (uid === undefined) return undefined;
      const text = texts.get(place);
      return { uid, state: text === undefined ? undefined : (readJson(text) as KubeObject) };
    },
    set: (place, object) => {
      forget(place);
      sent.set(place, object && (object.metadata.uid ?? ''));
      if (object) remember(place, JSON.stringify(object));
    },
  };
};
