import type { Cluster, MachineHealthCheck } from '../../kinds/index.ts';
import { formatTime } from '../../kube-api/object.ts';
import { ANNOTATION, LABEL } from '../labels.ts';
import { ownerReference, withOwner } from '../machines/desired.ts';
import { type ConditionClaim, withConditions } from '../status/conditions.ts';
import { pausedClaim } from '../status/paused.ts';
import type { HealthPlan } from './plan.ts';
import type { Trigger } from './trigger.ts';

const allowedClaim = ({ allowed, message }: Trigger): ConditionClaim => {
  const type = 'RemediationAllowed';
  if (allowed) return { type, status: 'True', reason: 'RemediationAllowed' };
  return { type, status: 'False', reason: 'TooManyUnhealthy', ...(message ? { message } : {}) };
};

/** The status of a check that is paused, or whose cluster is paused: everything else is unchanged. */
export const withPaused = (cluster: Cluster, check: MachineHealthCheck, now: Date): MachineHealthCheck => {
  const conditions = withConditions(
    check.status?.conditions,
    [pausedClaim(cluster, check)],
    check.metadata.generation,
    now,
  );
  return { ...check, status: { ...check.status, conditions } as MachineHealthCheck['status'] };
};

const withNextCheck = (annotations: Record<string, string> | undefined, next: Date | undefined) => {
  const { [ANNOTATION.nextCheck]: _before, ...rest } = annotations ?? {};
  return next ? { ...rest, [ANNOTATION.nextCheck]: formatTime(next) } : rest;
};

/** The health check with the result: owned by its cluster, its counters, and the time of the next check. */
export const withHealth = (
  cluster: Cluster,
  check: MachineHealthCheck,
  { targets, healthy, trigger, nextCheck }: HealthPlan,
  now: Date,
): MachineHealthCheck => {
  const { metadata } = check;
  const claims = [allowedClaim(trigger), pausedClaim(cluster, check)];
  return {
    ...check,
    metadata: {
      ...metadata,
      labels: { ...metadata.labels, [LABEL.clusterName]: cluster.metadata.name },
      annotations: withNextCheck(metadata.annotations, nextCheck),
      ownerReferences: withOwner(metadata.ownerReferences, ownerReference(cluster)),
    },
    status: {
      ...check.status,
      expectedMachines: targets.length,
      currentHealthy: healthy,
      remediationsAllowed: trigger.remediations,
      targets: targets.map(({ machine }) => machine.metadata.name).sort(),
      observedGeneration: metadata.generation,
      conditions: withConditions(check.status?.conditions, claims, metadata.generation, now),
    } as MachineHealthCheck['status'],
  };
};
