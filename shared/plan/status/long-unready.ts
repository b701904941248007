import type { Cluster } from '../../kinds/index.ts';
import { findCondition } from './conditions.ts';

/** Longer than a load balancer or a NAT gateway usually takes until it is created again. */
const USUAL_REPAIR_SECONDS = 5 * 60;

/**
 * When the infrastructure of a cluster that was provisioned once will not have been ready for five minutes; undefined
 * if it is ready. For upstream's controllers of machines, a cluster that was provisioned once remains provisioned
 * (`status.initialization.infrastructureProvisioned`). Here, machines wait while a usual repair lasts, because a new
 * one could hardly join.
 */
export const longUnreadyAt = ({ status }: Cluster): Date | undefined => {
  if (status?.initialization?.infrastructureProvisioned !== true) return undefined;
  const ready = findCondition(status.conditions, 'InfrastructureReady');
  if (!ready || ready.status === 'True') return undefined;
  return new Date(Date.parse(ready.lastTransitionTime) + USUAL_REPAIR_SECONDS * 1000);
};

/** Whether machines are reconciled although the infrastructure is not ready. */
export const isLongUnready = (cluster: Cluster, now: Date): boolean => {
  const at = longUnreadyAt(cluster);
  return at !== undefined && at.getTime() <= now.getTime();
};
