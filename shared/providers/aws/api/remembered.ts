import { LRUCache } from 'lru-cache';
import type { Clock } from '../../../clock.ts';

/** Responses of AWS that are cached in this process for a while; failures are not. */
export interface Remembered<T> {
  /** The cached value for the key, or the result of `ask`. Concurrent callers share one result. */
  get(key: string, ask: () => Promise<T>): Promise<T>;
  forget(key: string): void;
  /** Caches a value that is known without a request. */
  put(key: string, answer: T): void;
  /** When the oldest valid value was read, in milliseconds since the epoch; undefined if there is none. */
  oldest(): number | undefined;
  /** Updates cached values; drops those whose result is unknown. */
  revise(revision: (key: string) => ((answer: T) => T) | undefined): void;
}

export interface RememberOptions<T> {
  clock: Pick<Clock, 'now'>;
  seconds: number;
  /** Which values are cached; by default all. */
  isKept?: (answer: T) => boolean;
}

/** Above this number, the least recently used value is dropped. */
const MOST = 500;

/**
 * A cache for values that hardly change. It lasts as long as the function's process, and only the number of calls may
 * depend on it.
 */
export const createRemembered = <T>({ clock, seconds, isKept = () => true }: RememberOptions<T>): Remembered<T> => {
  const known = new LRUCache<string, { answer: Promise<T>; until: number }>({ max: MOST });
  const keep = (key: string, answer: Promise<T>): void => {
    known.set(key, { answer, until: clock.now().getTime() + seconds * 1000 });
  };
  const ask = async (key: string, asking: () => Promise<T>): Promise<T> => {
    try {
      const answer = await asking();
      if (!isKept(answer)) known.delete(key);
      return answer;
    } catch (error) {
      known.delete(key);
      throw error;
    }
  };
  return {
    get: (key, asking) => {
      const found = known.get(key);
      if (found && clock.now().getTime() < found.until) return found.answer;
      const answer = ask(key, asking);
      keep(key, answer);
      return answer;
    },
    forget: (key) => void known.delete(key),
    oldest: () => {
      const now = clock.now().getTime();
      const current = [...known.values()].filter(({ until }) => now < until);
      return current.length === 0 ? undefined : Math.min(...current.map(({ until }) => until)) - seconds * 1000;
    },
    put: (key, answer) => keep(key, Promise.resolve(answer)),
    revise: (revision) => {
      for (const [key, { answer, until }] of [...known]) {
        const change = revision(key);
        known.delete(key);
        if (!change) continue;
        const revised = answer.then(change);
        known.set(key, { answer: revised, until });
        // The caller gets the failure; here it only means that nothing is known.
        revised.catch(() => known.delete(key));
      }
    },
  };
};
