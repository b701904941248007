import type { Clock } from '../../../../shared/clock.ts';
import { ConflictError } from '../../../../shared/errors.ts';
import { eventOf, type Happening } from '../../../../shared/events/event.ts';
import type { Log } from '../../../../shared/log.ts';
import { type AnyObject, type WorkloadClient, WorkloadRefusedError } from '../../../../shared/workload/client.ts';

const counted = (event: AnyObject, found: AnyObject): AnyObject => ({
  ...found,
  message: event.message,
  lastTimestamp: event.lastTimestamp,
  count: (typeof found.count === 'number' ? found.count : 1) + 1,
});

export interface Recorder {
  readonly client: Pick<WorkloadClient, 'read' | 'create' | 'replace'>;
  readonly clock: Clock;
  readonly log: Log;
}

const put = async ({ client }: Recorder, event: AnyObject): Promise<void> => {
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

/**
 * Records an event in the workload cluster about an object there. A repeated event increments the count of the existing
 * one. A refused event is only logged, as by Kubernetes' own recorder: an API server accepts none in a namespace that is
 * being deleted, and the writes that follow must not wait for it. Throws WorkloadUnreachableError.
 */
export const recordInCluster = async (recorder: Recorder, happening: Happening): Promise<void> => {
  try {
    await put(recorder, eventOf(happening, recorder.clock.now()));
  } catch (error) {
    if (!(error instanceof WorkloadRefusedError)) throw error;
    recorder.log.info('an event was refused by a workload cluster', { reason: error.message });
  }
};
