import type { Machine } from '../../kinds/index.ts';
import { findCondition, isTrue } from '../status/conditions.ts';

export const isDeleting = (machine: Machine): boolean => machine.metadata.deletionTimestamp !== undefined;

/** Whether a machine has not become a node yet, as far as health checks know. */
export const isJoining = ({ status }: Machine): boolean =>
  !status?.nodeRef && findCondition(status?.conditions, 'HealthCheckSucceeded')?.status !== 'False';

const healthProblem = ({ metadata, status }: Machine, healthConditions: readonly string[]): string | undefined => {
  if (!status?.nodeRef) {
    return `* Machine ${metadata.name} does not have a corresponding Node yet (Machine.status.nodeRef not set)`;
  }
  const bad = healthConditions.find((type) => !isTrue(status.conditions, type));
  if (!bad) return undefined;
  const found = findCondition(status.conditions, bad);
  const why = found?.message ? `: ${found.message}` : '';
  return `* Machine ${metadata.name}: ${bad} is ${found?.status ?? 'not reported yet'}${why}`;
};

/** Whether a machine has a node and fulfils all conditions. */
export const isHealthy = (machine: Machine, healthConditions: readonly string[]): boolean =>
  healthProblem(machine, healthConditions) === undefined;

/**
 * What blocks changes of a formed control plane: a change in progress, or an unhealthy machine. One change at a time,
 * and only from a healthy state, preserves etcd's quorum. `except`: the machine to be deleted, whose own health does
 * not matter. These are upstream's preflight checks (kubeadmcontrolplane/preflight.go).
 */
export const preflight = (
  machines: readonly Machine[],
  healthConditions: readonly string[],
  except?: Machine,
): string | undefined => {
  const deleting = machines.find(isDeleting);
  if (deleting) return `* Machine ${deleting.metadata.name} is being deleted`;
  const problems = machines.filter((machine) => machine !== except).map((one) => healthProblem(one, healthConditions));
  return problems.find((problem) => problem !== undefined);
};

/** Whether a machine's node or a component of its control plane is known to be unhealthy. Unknown does not count. */
export const isUnhealthy = ({ status }: Machine, healthConditions: readonly string[]): boolean =>
  healthConditions.some((type) => findCondition(status?.conditions, type)?.status === 'False');
