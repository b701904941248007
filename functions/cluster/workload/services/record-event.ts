import type { Service } from '../../../../shared/plan/services/service.ts';
import { type Recorder, recordInCluster } from '../duties/record-in-cluster.ts';
import { SERVICE_REASONS, type ServiceReason } from './reasons.ts';

/** The name under which Kubernetes' own controller reports. */
const COMPONENT = 'service-controller';

/** Records an event on a Service. Throws the errors of recordInCluster. */
export const recordServiceEvent = async (
  recorder: Recorder,
  { namespace, name, uid }: Service,
  reason: ServiceReason,
  message: string,
): Promise<void> => {
  const regarding = { apiVersion: 'v1', kind: 'Service', metadata: { namespace, name, uid } };
  const { type } = SERVICE_REASONS[reason];
  await recordInCluster(recorder, { regarding, type, reason, message, component: COMPONENT });
};
