import type { Clock } from '../../../../shared/clock.ts';

/** The dependencies of all waiting parts of kubeadm and kubelet. */
export interface Waiting {
  clock: Clock;
  /** Aborts when the machine stops. */
  signal: AbortSignal;
  /** The pause between two attempts; it grows to a tenth of the time since the first one, up to 15 seconds. */
  retryMilliseconds: number;
}

const LONGEST_MILLISECONDS = 15_000;

/**
 * The pause after a failed attempt, if the first one was at `begun` (milliseconds since 1970). Otherwise, hundreds of
 * machines that wait for their load balancers would use up the processor time for creating these.
 */
export const pauseSince = (begun: number, { clock, retryMilliseconds }: Omit<Waiting, 'signal'>): number =>
  Math.max(retryMilliseconds, Math.min(LONGEST_MILLISECONDS, Math.floor((clock.now().getTime() - begun) / 10)));

/**
 * Repeats `attempt` until it returns a value. It is tried again if it returns undefined, or throws an error for which
 * `isFinal` is false. After `milliseconds`, throws the last error, or one that says that the time is over.
 */
export const retryFor = async <T>(
  milliseconds: number,
  waiting: Waiting,
  attempt: () => Promise<T | undefined>,
  isFinal: (error: unknown) => boolean = () => false,
): Promise<T> => {
  const { clock, signal } = waiting;
  const begun = clock.now().getTime();
  let last: unknown = new Error('timed out waiting for the condition');
  for (;;) {
    signal.throwIfAborted();
    try {
      const value = await attempt();
      if (value !== undefined) return value;
    } catch (error) {
      if (isFinal(error)) throw error;
      last = error;
    }
    const left = begun + milliseconds - clock.now().getTime();
    if (left <= 0) throw last;
    await clock.sleep(Math.min(pauseSince(begun, waiting), Math.max(left, waiting.retryMilliseconds)), signal);
  }
};
