import type { Clock } from '../clock.ts';
import { kinds } from '../kinds/index.ts';
import type { ObjectClient } from '../kube-api/storage/client.ts';
import { eventOf, type Happening } from './event.ts';

/**
 * Records an event on `regarding`, in its namespace. A repetition with the same reason and message increments the count
 * of the existing event, as in client-go's correlator. Throws the storage's errors.
 */
export const recordEvent = async (objects: ObjectClient, happening: Happening, clock: Clock): Promise<void> => {
  const event = eventOf(happening, clock.now());
  const { message, lastTimestamp } = event;

  // Events of successes are usually new; those of failures are usually repetitions.
  const isExpectedNew = happening.type === 'Normal';
  const { created } = await objects.ensure(kinds.event, event, { isExpectedNew });
  if (created) return;
  const { namespace, name } = event.metadata;
  const counted = await objects.mutate(kinds.event, { namespace, name }, (current) => ({
    ...current,
    message,
    lastTimestamp,
    count: (current.count ?? 1) + 1,
  }));
  // The event has expired in the meantime, an hour after its last write.
  if (counted === undefined) await objects.ensure(kinds.event, event);
};
