import type { ControlPlane, ControlPlaneStatus } from '../../kinds/contract-objects.ts';
import type { Cluster, Machine } from '../../kinds/index.ts';
import type { Condition } from '../../kube-api/object.ts';
import type { HealthConditions } from '../control-plane/distribution-rules.ts';
import { readStrays } from '../control-plane/strays.ts';
import { type ConditionClaim, findCondition, withConditions } from './conditions.ts';
import { formedAvailableClaim, healthClaims, whyNotInspected } from './control-plane-health.ts';
import { countReplicas } from './counts.ts';
import { deletingClaim, machinesClaims, rollingOutClaim, scalingClaims } from './owner-claims.ts';
import { pausedClaim } from './paused.ts';
import { remediatingClaim } from './remediating.ts';

export interface ControlPlaneStatusFacts {
  machines: readonly Machine[];
  health: HealthConditions;
  /** Whether the results of an initialization were observed in the workload cluster, now or earlier. */
  initialized: boolean;
  blocked?: string;
  /** An upgrade over several minor versions: the version of the step, what it waits for, and its target. */
  upgrade?: { version: string; waits: readonly string[]; target: string };
  /** The number of remaining worker machines; a control plane is deleted after them. */
  workersLeft: number;
  /** Undefined for a control plane that was just created. */
  cluster?: Cluster;
}

/** The error in the key material, if any. */
export const certificatesProblem = ({ status }: ControlPlane): string | undefined => {
  const found = findCondition(status?.conditions, 'CertificatesAvailable');
  return found?.status === 'False' ? found.message : undefined;
};

const availableClaim = (
  controlPlane: ControlPlane,
  { machines, initialized, health }: ControlPlaneStatusFacts,
  now: Date,
): ConditionClaim => {
  const problem = certificatesProblem(controlPlane);
  if (!initialized) {
    const message = ['Control plane not yet initialized', ...(problem ? [problem] : [])].join('\n');
    return { type: 'Available', status: 'False', reason: 'NotAvailable', message };
  }
  const isDeleting = controlPlane.metadata.deletionTimestamp !== undefined;
  const strays = readStrays(controlPlane.status?.conditions);
  return formedAvailableClaim(machines, health, { isDeleting, hasCertificates: problem === undefined, strays, now });
};

const initializedClaim = (initialized: boolean): ConditionClaim =>
  initialized
    ? { type: 'Initialized', status: 'True', reason: 'Initialized' }
    : { type: 'Initialized', status: 'False', reason: 'NotInitialized' };

/**
 * Windlass's own condition: the progress of an upgrade over several minor versions. Only a control plane that has had
 * one reports it.
 */
const UPGRADE = 'windlass.dev/ChainedUpgrade';

const upgradeClaims = (
  conditions: readonly Condition[] | undefined,
  upgrade: ControlPlaneStatusFacts['upgrade'],
): ConditionClaim[] => {
  const type = UPGRADE;
  if (!upgrade || upgrade.version === upgrade.target) {
    return findCondition(conditions, type) ? [{ type, status: 'False', reason: 'NotUpgrading' }] : [];
  }
  const { version, waits, target } = upgrade;
  const message = [`${version} on the way to ${target}`, ...(waits.length > 0 ? ['It waits:'] : []), ...waits].join(
    '\n',
  );
  return [{ type, status: 'True', reason: waits.length > 0 ? 'Waiting' : 'Upgrading', message }];
};

/**
 * A control plane is deleted with its Cluster, after the workers. If a user deletes only the control plane, it waits
 * for the Cluster's deletion, because its machines hold the data of the cluster.
 */
const controlPlaneDeletingClaim = (
  { kind, metadata }: ControlPlane,
  { machines, cluster, workersLeft }: ControlPlaneStatusFacts,
  now: Date,
): ConditionClaim => {
  const type = 'Deleting';
  const deleting = metadata.deletionTimestamp !== undefined;
  if (deleting && cluster && !cluster.metadata.deletionTimestamp) {
    const message = `The ${kind} stays until Cluster ${cluster.metadata.name} is deleted; until then, its Machines are neither replaced nor upgraded, and it cannot be scaled. Do not remove its finalizer: its Machines would be deleted`;
    return { type, status: 'True', reason: 'WaitingForClusterDeletion', message };
  }
  if (deleting && workersLeft > 0) {
    return { type, status: 'True', reason: 'WaitingForWorkersDeletion', message: 'Waiting for workers to be deleted' };
  }
  return deletingClaim({ deleting, machines, now }, 'WaitingForMachineDeletion', ' and ');
};

/**
 * The status of any control plane, from its machines. The claims do not include CertificatesAvailable, which the step
 * that creates the certificates reports.
 */
export const controlPlaneStatus = (
  controlPlane: ControlPlane,
  facts: ControlPlaneStatusFacts,
  now: Date,
): ControlPlaneStatus => {
  const { metadata, spec, status } = controlPlane;
  const { machines, initialized, health } = facts;
  const deleting = metadata.deletionTimestamp !== undefined;
  const claims: ConditionClaim[] = [
    availableClaim(controlPlane, facts, now),
    initializedClaim(initialized),
    ...healthClaims(machines, health, whyNotInspected(facts.cluster, initialized), readStrays(status?.conditions)),
    ...machinesClaims(machines),
    rollingOutClaim({ machines, blocked: facts.blocked, deleting }),
    ...scalingClaims({ desired: spec.replicas ?? 1, machines, deleting, blocked: facts.blocked, now }),
    controlPlaneDeletingClaim(controlPlane, facts, now),
    remediatingClaim(machines, controlPlane.kind),
    pausedClaim(facts.cluster, controlPlane),
    ...upgradeClaims(status?.conditions, facts.upgrade),
  ];
  return {
    ...countReplicas(machines),
    ...(initialized ? { initialization: { controlPlaneInitialized: true } } : {}),
    ...(machines.length > 0 ? { version: lowestVersion(machines) } : {}),
    conditions: withConditions(status?.conditions, claims, metadata.generation, now),
    observedGeneration: metadata.generation,
  } as ControlPlaneStatus;
};

const numeric = (version: string): number[] => (version.match(/\d+/g) ?? []).slice(0, 3).map(Number);

const compareVersions = (a: string, b: string): number => {
  const [left, right] = [numeric(a), numeric(b)];
  const at = [0, 1, 2].find((index) => left[index] !== right[index]);
  return at === undefined ? 0 : (left[at] ?? 0) - (right[at] ?? 0);
};

/** The lowest version that any machine runs. Workers must not have a newer one. */
const lowestVersion = (machines: readonly Machine[]): string | undefined =>
  machines
    .map(({ spec }) => spec.version)
    .filter((version) => version !== undefined)
    .sort(compareVersions)[0];
