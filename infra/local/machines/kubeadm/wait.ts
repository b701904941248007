import type { Clock } from '../../../../shared/clock.ts';

/** What every part of kubeadm and kubelet that waits needs. */
export interface Waiting {
  clock: Clock;
  /** Aborts when the machine stops. */
  signal: AbortSignal;
  /** The pause between two attempts; later it is a tenth of the time since the first one, up to 15 seconds. */
  retryMilliseconds: number;
}

const LONGEST_MILLISECONDS = 15_000;

/**
 * The pause after a failed attempt, if the first one was at `begun` (milliseconds since 1970). Hundreds of machines that
 * wait for their load balancers would otherwise take all of the processor that is needed to finish these.
 */
export const pauseSince = (begun: number, { clock, retryMilliseconds }: Omit<Waiting, 'signal'>): number =>
  Math.max(retryMilliseconds, Math.min(LONGEST_MILLISECONDS, Math.floor((clock.now().getTime() - begun) / 10)));

/**
 * Repeats `attempt` until it returns a value. While it returns undefined or throws an error that `isFinal` does not
 * claim, it is tried again; after `milliseconds` the last error is thrown, or one that says that the time is over.
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
