import type { MachineDeployment } from '../../kinds/index.ts';
import { scaledValue } from '../int-or-percent.ts';

/** How many machines a rolling update may have above or below `spec.replicas`. */
export interface Bounds {
  replicas: number;
  maxSurge: number;
  maxUnavailable: number;
}

/** The maximum value of a set's `spec.replicas`. */
const MOST_REPLICAS = 2 ** 31 - 1;

/**
 * The bounds of a deployment's rolling update: a percentage of surge rounds up, and one of unavailable machines rounds
 * down. If both are zero, one machine may be missing, because otherwise no step would be possible. The same as in
 * Cluster API's mdutil and Kubernetes' Deployment.
 */
export const boundsOf = ({ spec }: MachineDeployment): Bounds => {
  const replicas = spec.replicas ?? 1;
  const strategy = spec.rollout?.strategy;
  if (strategy?.type === 'OnDelete' || replicas === 0) return { replicas, maxSurge: 0, maxUnavailable: 0 };
  const surge = scaledValue(strategy?.rollingUpdate?.maxSurge ?? 1, replicas, Math.ceil);
  const maxSurge = Math.min(surge, MOST_REPLICAS - replicas);
  const maxUnavailable = scaledValue(strategy?.rollingUpdate?.maxUnavailable ?? 0, replicas, Math.floor);
  if (maxSurge === 0 && maxUnavailable === 0) return { replicas, maxSurge, maxUnavailable: 1 };
  return { replicas, maxSurge, maxUnavailable: Math.min(maxUnavailable, replicas) };
};
