import type { Machine } from '../../kinds/index.ts';
import { withObservation } from '../machines/status.ts';
import { type ConditionClaim, findCondition } from '../status/conditions.ts';
import type { Verdict } from './verdict.ts';

/** How an unhealthy machine is remediated: by its owner, by another controller, or not now. */
export type Remedy = { by: 'owner' } | { by: 'nobody' } | { by: 'other'; claim: ConditionClaim };

const WAITING: ConditionClaim = {
  type: 'OwnerRemediated',
  status: 'False',
  reason: 'WaitingForRemediation',
  message: 'Waiting for remediation',
};

/** Whether a check starts a remediation. A remediation that the owner has started is the owner's to end. */
const begins = ({ metadata, status }: Machine): boolean =>
  metadata.deletionTimestamp === undefined &&
  (findCondition(status?.conditions, WAITING.type)?.status ?? 'True') === 'True';

const remedyClaims = (machine: Machine, remedy: Remedy): ConditionClaim[] => {
  if (remedy.by === 'other') return [remedy.claim];
  return remedy.by === 'owner' && begins(machine) ? [WAITING] : [];
};

/** The machine with the result of a health check; undefined if there is none (yet). */
export const withVerdict = (machine: Machine, verdict: Verdict, remedy: Remedy, now: Date): Machine | undefined => {
  if (verdict.is === 'pending') return undefined;
  const health: ConditionClaim[] =
    verdict.is === 'healthy'
      ? [{ type: 'HealthCheckSucceeded', status: 'True', reason: 'HealthCheckSucceeded' }]
      : [verdict.claim, ...remedyClaims(machine, remedy)];
  return withObservation(machine, { health }, now);
};

const is = (machine: Machine, type: string, status: string): boolean =>
  findCondition(machine.status?.conditions, type)?.status === status;

/** Whether the owner of the machine must remediate it: the check has failed, and its remediation has started. */
export const awaitsRemediation = (machine: Machine): boolean =>
  is(machine, 'HealthCheckSucceeded', 'False') && is(machine, 'OwnerRemediated', 'False');

/** Whether its owner wants to remediate the machine, but could not do so yet. */
export const isRemediationDeferred = (machine: Machine): boolean =>
  machine.metadata.deletionTimestamp === undefined &&
  awaitsRemediation(machine) &&
  findCondition(machine.status?.conditions, 'OwnerRemediated')?.reason === 'RemediationDeferred';

/** Removes the mark for remediation from a machine that is healthy again before its owner has done anything. */
export const withoutNeedlessRemediation = (machine: Machine): Machine | undefined => {
  const isNeedless =
    machine.metadata.deletionTimestamp === undefined &&
    is(machine, 'HealthCheckSucceeded', 'True') &&
    is(machine, 'OwnerRemediated', 'False');
  if (!isNeedless) return undefined;
  const conditions = machine.status?.conditions?.filter(({ type }) => type !== 'OwnerRemediated');
  return { ...machine, status: { ...machine.status, conditions } as Machine['status'] };
};
