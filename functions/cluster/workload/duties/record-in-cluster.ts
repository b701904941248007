import type { Clock } from '../../../../shared/clock.ts';
import { ConflictError } from '../../../../shared/errors.ts';
import { eventOf, type Happening } from '../../../../shared/events/event.ts';
import type { AnyObject, WorkloadClient } from '../../../../shared/workload/client.ts';

const counted = (event: AnyObject, found: AnyObject): AnyObject => ({
  ...found,
  message: event.message,
  lastTimestamp: event.lastTimestamp,
  count: (typeof found.count === 'number' ? found.count : 1) + 1,
});

/**
 * Records an event in the workload cluster about an object there. A repeated event increments the count of the existing
 * one. Throws WorkloadUnreachableError and WorkloadRefusedError.
 */
export const recordInCluster = async (
  client: Pick<WorkloadClient, 'read' | 'create' | 'replace'>,
  happening: Happening,
  clock: Clock,
): Promise<void> => {
  const event: AnyObject = eventOf(happening, clock.now());
  const found = await client.read(event);
  if (!found) {
    await client.create(event);
    return;
  }
  try {
    await client.replace(counted(event, found));
  } catch (error) {
    // Another pass has counted it.
    if (!(error instanceof ConflictError)) throw error;
  }
};
