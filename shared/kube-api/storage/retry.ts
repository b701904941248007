import type { Clock } from '../../clock.ts';
import type { Random } from '../../random.ts';
import type { ResourceId } from '../object.ts';
import { conflict, notFound } from '../status-error.ts';

const FIRST_WAIT_MILLISECONDS = 10;
const LONGEST_WAIT_MILLISECONDS = 640;

/**
 * How often a write is tried that can be applied to any stored state: upstream tries such writes until they succeed. If
 * 64 clients write one object without a pause, about every third attempt succeeds, so one in 200,000 writes is refused;
 * that one has then waited for 8 seconds, of the 29 that a request may take.
 */
export const PERSISTENT_ATTEMPTS = 30;

export interface Waiting {
  clock: Clock;
  random: Random;
}

/**
 * Waits after a lost race for a write: a random share of 10, 20, 40, … 640 ms, so that competing writers do not collide
 * again.
 */
const waitAfterConflict = async ({ clock, random }: Waiting, attempt: number): Promise<void> => {
  const most = Math.min(FIRST_WAIT_MILLISECONDS * 2 ** (attempt - 1), LONGEST_WAIT_MILLISECONDS);
  const share = (random.bytes(1)[0] ?? 0) / 255;
  await clock.sleep(Math.ceil(most * share));
};

/**
 * Runs `attempt` (a read and a conditional write) again if another writer was faster, at most `attempts` times.
 * Conflict and NotFound of the storage become the API's own errors; other errors are passed on.
 */
export const retryOnConflict = async <R>(
  waiting: Waiting,
  { resource, name, attempts }: { resource: ResourceId; name: string; attempts: number },
  attempt: () => Promise<R>,
): Promise<R> => {
  for (let tries = 1; ; tries += 1) {
    try {
      return await attempt();
    } catch (error) {
      const kind = error instanceof Error ? error.name : '';
      if (kind === 'NotFound') throw notFound(resource, name);
      if (kind !== 'Conflict') throw error;
      if (tries >= attempts) throw conflict(resource, name);
      await waitAfterConflict(waiting, tries);
    }
  }
};
