import type { Clock } from '../../../../shared/clock.ts';
import { ConflictError } from '../../../../shared/errors.ts';
import { eventOf } from '../../../../shared/events/event.ts';
import type { Service } from '../../../../shared/plan/services/service.ts';
import type { AnyObject, WorkloadClient } from '../../../../shared/workload/client.ts';
import { SERVICE_REASONS, type ServiceReason } from './reasons.ts';

/** The name under which Kubernetes' own controller reports. */
const COMPONENT = 'service-controller';

const counted = (event: AnyObject, found: AnyObject): AnyObject => ({
  ...found,
  message: event.message,
  lastTimestamp: event.lastTimestamp,
  count: (typeof found.count === 'number' ? found.count : 1) + 1,
});

/**
 * Records an event on a Service, in the created cluster. A repetition increments the count of the existing event. Throws
 * WorkloadUnreachableError and WorkloadRefusedError.
 */
export const recordServiceEvent = async (
  client: Pick<WorkloadClient, 'read' | 'create' | 'replace'>,
  { namespace, name, uid }: Service,
  reason: ServiceReason,
  message: string,
  clock: Clock,
): Promise<void> => {
  const regarding = { apiVersion: 'v1', kind: 'Service', metadata: { namespace, name, uid } };
  const { type } = SERVICE_REASONS[reason];
  const event: AnyObject = eventOf({ regarding, type, reason, message, component: COMPONENT }, clock.now());
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
