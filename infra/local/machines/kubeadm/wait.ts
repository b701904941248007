import type { Clock } from '../../../../shared/clock.ts';

/** What every part of kubeadm and kubelet that waits needs. */
export interface Waiting {
  clock: Clock;
  /** Aborts when the machine stops. */
  signal: AbortSignal;
  /** The pause between two attempts. */
  retryMilliseconds: number;
}

/**
 * Repeats `attempt` until it returns a value. While it returns undefined or throws an error that `isFinal` does not
 * claim, it is tried again; after `milliseconds` the last error is thrown, or one that says that the time is over.
 */
export const retryFor = async <T>(
  milliseconds: number,
  { clock, signal, retryMilliseconds }: Waiting,
  attempt: () => Promise<T | undefined>,
  isFinal: (error: unknown) => boolean = () => false,
): Promise<T> => {
  const deadline = clock.now().getTime() + milliseconds;
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
    if (clock.now().getTime() >= deadline) throw last;
    await clock.sleep(retryMilliseconds, signal);
  }
};
