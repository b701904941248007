import { warning } from '../../../../shared/events/catalogue.ts';
import type { EventRecorder } from '../../../../shared/events/recorder.ts';

/** Reasons of events about drift that the steps of a cluster record. */
export const DRIFT_REASONS = {
  DriftRepaired: warning({
    AWSCluster: 'Its resources in AWS were changed outside Windlass, and the change was reverted.',
  }),
  DriftAdopted: warning({
    AWSCluster: 'Its resources in AWS were changed outside Windlass, and its spec was updated to match.',
  }),
  DriftReported: warning({
    Cluster: 'Its resources in the cloud were changed outside Windlass, and the change is only reported.',
  }),
};

export type DriftRecorder = EventRecorder<never, keyof typeof DRIFT_REASONS>;
