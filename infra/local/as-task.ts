import type { Clock } from '../../shared/clock.ts';
import { RETRY_POLICIES } from '../../shared/errors.ts';

/** Retries the errors that the workflows retry, with the same waits. */
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
