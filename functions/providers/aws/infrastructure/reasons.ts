import { warning } from '../../../../shared/events/catalogue.ts';
import type { EventRecorder } from '../../../../shared/events/recorder.ts';

/** Why the steps of a cluster record events about drift. */
export const DRIFT_REASONS = {
  DriftRepaired: warning({ AWSCluster: 'Somebody changed its resources in AWS, and the change is undone.' }),
  DriftAdopted: warning({ AWSCluster: 'Somebody changed its resources in AWS, and its spec now asks for the change.' }),
  DriftReported: warning({ Cluster: 'Somebody changed its resources in the cloud, and the change is left alone.' }),
};

export type DriftRecorder = EventRecorder<never, keyof typeof DRIFT_REASONS>;
