import type { Clock } from '../clock.ts';

/** Answers of AWS that are kept for a while in this process; failures are not. */
export interface Remembered<T> {
  /** What is known under the key, or what `ask` gives. Callers at the same time share one answer. */
  get(key: string, ask: () => Promise<T>): Promise<T>;
  forget(key: string): void;
}

export interface RememberOptions<T> {
  clock: Pick<Clock, 'now'>;
  seconds: number;
  /** Which answers are worth keeping; all, where it is not given. */
  isKept?: (answer: T) => boolean;
}

/** What is older makes room. */
const MOST = 500;

/**
 * A memory for answers that hardly change. It lives and dies with the function's process, and nothing may rest on it but
 * the number of calls.
 */
export const createRemembered = <T>({ clock, seconds, isKept = () => true }: RememberOptions<T>): Remembered<T> => {
  const known = new Map<string, { answer: Promise<T>; until: number }>();
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
      const now = clock.now().getTime();
      const found = known.get(key);
      if (found && now < found.until) return found.answer;
      known.delete(key);
      if (known.size >= MOST) known.delete([...known.keys()][0] ?? '');
      const answer = ask(key, asking);
      known.set(key, { answer, until: now + seconds * 1000 });
      return answer;
    },
    forget: (key) => void known.delete(key),
  };
};
