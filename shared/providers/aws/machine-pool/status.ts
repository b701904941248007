import type { AWSMachinePool } from '../../../kinds/index.ts';
import { type LegacyClaim, withLegacyConditions } from '../../../plan/status/legacy-conditions.ts';
import { presentInstances, providerIdOf } from './instances.ts';
import type { ObservedGroup, Refresh } from './model.ts';
import { isActive, isOutdated } from './plan.ts';
import { isRefreshFor, type RecordedTemplate, recordedRefresh } from './record.ts';
import { instanceStatuses } from './versions.ts';

/** The observed state of a pool's group. */
export interface SeenPool {
  group: ObservedGroup | undefined;
  template: RecordedTemplate | undefined;
  refresh: Refresh | undefined;
  /** Why the group cannot launch its instances, with AWS's message. */
  failure: string | undefined;
  /** Whether the lifecycle hooks are known to be as desired. */
  hooksReady: boolean;
}

/** The conditions are CAPA's (exp/api/v1beta2/conditions_consts.go). */
const groupClaim = ({ group, failure }: SeenPool): LegacyClaim => {
  const type = 'ASGReady';
  if (!group)
    return {
      type,
      status: 'False',
      severity: 'Info',
      reason: 'ASGNotFound',
      message: 'the Auto Scaling group does not exist yet',
    };
  if (group.status) return { type, status: 'False', severity: 'Warning', reason: 'ASGDeletionInProgress' };
  if (failure) return { type, status: 'False', severity: 'Warning', reason: 'ASGProvisionFailed', message: failure };
  return { type, status: 'True' };
};

const REFRESH_FAILURES: readonly string[] = ['Failed', 'RollbackFailed', 'RollbackSuccessful'];

const hasOutdated = ({ group, template }: SeenPool): boolean =>
  template !== undefined && group?.instances.some((one) => isOutdated(one, template)) === true;

/** A cancelled refresh has failed if instances are left that it should have replaced. */
const hasFailed = ({ spec }: AWSMachinePool, { status }: Refresh, seen: SeenPool): boolean =>
  REFRESH_FAILURES.includes(status) ||
  (status === 'Cancelled' && !spec?.refreshPreferences?.disable && hasOutdated(seen));

const refreshClaim = (pool: AWSMachinePool, refresh: Refresh, seen: SeenPool): LegacyClaim => {
  const type = 'InstanceRefreshStarted';
  const why = refresh.reason ? `: ${refresh.reason}` : '';
  if (hasFailed(pool, refresh, seen)) {
    const message = `instance refresh ${refresh.id} ended as ${refresh.status}${why}`;
    const severity = refresh.status === 'Cancelled' ? 'Warning' : 'Error';
    return { type, status: 'False', severity, reason: 'InstanceRefreshFailed', message };
  }
  if (!isActive(refresh)) return { type, status: 'True' };
  return { type, status: 'True', message: `${refresh.percentage ?? 0}% of the instances are replaced${why}` };
};

/**
 * Upstream's PostLaunchTemplateUpdateOperation starts the instance refresh after a change of the template, or skips it
 * if the pool disables it or no instance is outdated. There is no condition for an unchanged template.
 */
const updateClaims = (pool: AWSMachinePool, seen: SeenPool): LegacyClaim[] => {
  const { group, template } = seen;
  if (!template || template.since === 1) return [];
  const isStarted = isRefreshFor(recordedRefresh(pool), template) || (group !== undefined && !hasOutdated(seen));
  const isDone = pool.spec?.refreshPreferences?.disable || isStarted;
  return isDone ? [{ type: 'PostLaunchTemplateUpdateOperationSuccess', status: 'True' }] : [];
};

/**
 * Whether instances were being replaced when the group was last observed: only then does the condition have a message.
 */
export const isRefreshing = ({ status }: AWSMachinePool): boolean => {
  const found = status?.conditions?.find(({ type }) => type === 'InstanceRefreshStarted');
  return found?.status === 'True' && found.message !== undefined;
};

/** The pool with its instances, from which the core finds the Machines of those that have left. */
export const withInstances = (pool: AWSMachinePool, group: ObservedGroup | undefined): AWSMachinePool => {
  const instances = group ? presentInstances(group) : [];
  const ids = instances.map(({ id }) => id);
  return {
    ...pool,
    spec: {
      ...pool.spec,
      ...(group ? { providerID: group.arn } : {}),
      providerIDList: instances.map(providerIdOf),
    } as AWSMachinePool['spec'],
    status: {
      ...pool.status,
      replicas: instances.length,
      infrastructureMachineKind: 'AWSMachine',
      instances: instanceStatuses(pool, ids),
    },
  };
};

/** The pool with the observed state of its group. */
export const withSeen = (pool: AWSMachinePool, seen: SeenPool, now: Date): AWSMachinePool => {
  const { group, template, refresh, hooksReady } = seen;
  const claims: LegacyClaim[] = [
    ...(template ? [{ type: 'LaunchTemplateReady', status: 'True' } as const] : []),
    groupClaim(seen),
    ...(refresh ? [refreshClaim(pool, refresh, seen)] : []),
    ...(group && hooksReady ? [{ type: 'LifecycleHookReady', status: 'True' } as const] : []),
    ...updateClaims(pool, seen),
  ];
  const known = withInstances(pool, group);
  const { asgStatus: _, ...status } = known.status ?? {};
  const next: AWSMachinePool = {
    ...known,
    status: {
      ...status,
      ready: group !== undefined && group.status === undefined,
      ...(template ? { launchTemplateID: template.id, launchTemplateVersion: String(template.version) } : {}),
      ...(group?.status ? { asgStatus: group.status } : {}),
    },
  };
  return withLegacyConditions(next, claims, now);
};

/** The part of a pool that has a problem. */
export type PoolPart =
  | 'LaunchTemplateReady'
  | 'ASGReady'
  | 'LifecycleHookReady'
  | 'PostLaunchTemplateUpdateOperationSuccess';

/** A fault that only a user can correct. */
export interface PoolFault {
  part: PoolPart;
  message: string;
  /** CAPA's reason; if absent, that of the part. */
  reason?: string | undefined;
}

const reasonOf = ({ status }: AWSMachinePool, part: PoolPart): string => {
  switch (part) {
    case 'ASGReady':
      return 'ASGProvisionFailed';
    case 'LaunchTemplateReady':
      return status?.launchTemplateID ? 'LaunchTemplateReconcileFailed' : 'LaunchTemplateCreateFailed';
    case 'LifecycleHookReady':
      return 'LifecycleHookUpdateFailed';
    case 'PostLaunchTemplateUpdateOperationSuccess':
      return 'PostLaunchTemplateUpdateOperationFailed';
  }
};

/** The pool with the reason why one of its parts cannot be reconciled. */
export const withProblem = (pool: AWSMachinePool, fault: PoolFault, now: Date): AWSMachinePool => {
  const { part: type, message, reason = reasonOf(pool, type) } = fault;
  const next = withLegacyConditions(pool, [{ type, status: 'False', severity: 'Error', reason, message }], now);
  return { ...next, status: { ...next.status, infrastructureMachineKind: 'AWSMachine' } };
};
