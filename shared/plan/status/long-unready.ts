import type { Cluster } from '../../kinds/index.ts';
import { findCondition } from './conditions.ts';

/** Longer than a load balancer or a NAT gateway usually takes until it is created again. */
const USUAL_REPAIR_SECONDS = 5 * 60;

/**
 * Whether the infrastructure of a cluster was provisioned once, and has not been ready for five minutes. For
 * upstream's controllers of machines, a cluster that was provisioned once remains provisioned
 * (`status.initialization.infrastructureProvisioned`). Here, machines wait while a usual repair lasts, because a new
 * one could hardly join.
 */
export const isLongUnready = ({ status }: Cluster, now: Date): boolean => {
  if (status?.initialization?.infrastructureProvisioned !== true) return false;
  const ready = findCondition(status.conditions, 'InfrastructureReady');
  if (!ready || ready.status === 'True') return false;
  return now.getTime() - Date.parse(ready.lastTransitionTime) >= USUAL_REPAIR_SECONDS * 1000;
};
