import type { Cluster } from '../../shared/kinds/index.ts';
import { findCondition } from '../../shared/plan/status/conditions.ts';

/** The status of a cluster's condition. */
export const conditionStatus = (cluster: Cluster | undefined, type: string): string | undefined =>
  findCondition(cluster?.status?.conditions, type)?.status;
