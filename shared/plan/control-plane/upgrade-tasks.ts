import type { ControlPlane } from '../../kinds/contract-objects.ts';
import type { Machine } from '../../kinds/index.ts';
import { isOverdue } from '../machines/waiting.ts';
import { type ConditionClaim, findCondition } from '../status/conditions.ts';
import { isDeleting, isJoining } from './preflight.ts';

/**
 * Windlass's own condition: whether the workload cluster's configuration for joining machines matches the control
 * plane's.
 */
export const JOIN_CONFIGURATION = 'windlass.dev/JoinConfigurationUpToDate';

/** Windlass's own condition: whether what runs on all machines matches the control plane. */
export const SYSTEM_ADDONS = 'windlass.dev/SystemAddonsUpToDate';

/** Why something in the workload cluster could not be updated. A refusal needs a user; everything else is retried. */
export interface UpgradeTaskProblem {
  refused: boolean;
  message: string;
}

const failed = (type: string, { refused, message }: UpgradeTaskProblem): ConditionClaim => ({
  type,
  status: 'False',
  reason: refused ? 'UpdateRefused' : 'UpdateFailed',
  message,
});

export const systemAddonsClaim = (problems: readonly UpgradeTaskProblem[]): ConditionClaim =>
  problems.length === 0
    ? { type: SYSTEM_ADDONS, status: 'True', reason: 'UpToDate' }
    : failed(SYSTEM_ADDONS, {
        refused: problems.every(({ refused }) => refused),
        message: problems.map(({ message }) => `* ${message}`).join('\n'),
      });

/** Whether nothing is left to be retried. */
export const areUpgradeTasksSettled = ({ status }: ControlPlane): boolean =>
  findCondition(status?.conditions, SYSTEM_ADDONS)?.reason !== 'UpdateFailed';

/** The target of the update. A change of the spec, or the next step of an upgrade, has another target. */
const markOf = ({ metadata, spec }: ControlPlane): string =>
  `Machines join with version ${spec.version}, generation ${metadata.generation ?? 0}`;

export const joinConfigurationClaim = (controlPlane: ControlPlane, problem?: UpgradeTaskProblem): ConditionClaim =>
  problem === undefined
    ? { type: JOIN_CONFIGURATION, status: 'True', reason: 'UpToDate', message: markOf(controlPlane) }
    : failed(JOIN_CONFIGURATION, problem);

/** The time that a machine has by default to become a node before a health check fails. */
const LONGEST_JOIN_SECONDS = 600;

/**
 * Whether another machine is joining with another version: with the configuration for this version, its kubeadm would
 * refuse to join. Cluster API changes the configuration nevertheless, and leaves the machine to a health check. A
 * machine that takes too long is not awaited, because the change of version may be what replaces it.
 */
export const joinsFirst = (
  controlPlane: ControlPlane,
  machines: readonly Machine[],
  now: Date,
): ConditionClaim | undefined => {
  const machine = machines.find(
    (one) =>
      isJoining(one) &&
      !isDeleting(one) &&
      one.spec.version !== controlPlane.spec.version &&
      !isOverdue(one.metadata.creationTimestamp, LONGEST_JOIN_SECONDS, now),
  );
  return (
    machine && {
      type: JOIN_CONFIGURATION,
      status: 'False',
      reason: 'WaitingForMachine',
      message: `Machine ${machine.metadata.name} joins with version ${machine.spec.version} first`,
    }
  );
};

/**
 * Why machines must not be replaced yet: their join configuration does not match this spec. New kubeadm machines would
 * start like the old ones, and be outdated immediately.
 */
export const waitsForJoinConfiguration = (controlPlane: ControlPlane): string | undefined => {
  const found = findCondition(controlPlane.status?.conditions, JOIN_CONFIGURATION);
  if (found?.status === 'True' && found.message === markOf(controlPlane)) return undefined;
  const why = found?.status === 'False' ? `: ${found.message}` : '';
  return `* The configuration that machines join with is not up to date yet${why}`;
};
