import type { Clock } from '../../shared/clock.ts';
import { RETRY_POLICIES } from '../../shared/errors.ts';

/** Tries again what the workflows try again, with their waits. */
export const asTask = async <T>(clock: Clock, work: () => Promise<T>): Promise<T> => {
  for (let attempt = 0; ; attempt += 1) {
    try {
      return await work();
    } catch (error) {
      const policy = error instanceof Error ? RETRY_POLICIES[error.name] : undefined;
      if (!policy || attempt >= policy.maxAttempts) throw error;
      const seconds = Math.min(policy.intervalSeconds * policy.backoffRate ** attempt, policy.maxDelaySeconds);
      await clock.sleep(seconds * 1000);
    }
  }
};
