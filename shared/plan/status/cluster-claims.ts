import type { Cluster, Machine } from '../../kinds/index.ts';
import { absenceOf, type Reference, unservedKind } from '../../kinds/reference.ts';
import type { Condition } from '../../kube-api/object.ts';
import { isStandalone } from '../control-plane/standalone.ts';
import { ANNOTATION, LABEL } from '../labels.ts';
import { activityMessage, aggregate, aggregateSources } from './aggregate.ts';
import { deletingClaim } from './cluster-deletion.ts';
import type { ClusterFacts } from './cluster-facts.ts';
import { type ConditionClaim, findCondition, type SummaryInput, summarize } from './conditions.ts';
import { mirrorReady, readyFallback } from './mirror.ts';
import { pausedClaim } from './paused.ts';

interface Initialization {
  provisioned: boolean;
  initialized: boolean;
}

/** Whether a Cluster, or one of the objects given with it, is paused. */
export const isPaused = (cluster: Cluster): boolean =>
  cluster.spec.paused === true || ANNOTATION.paused in (cluster.metadata.annotations ?? {});

/**
 * `what`: the kind of object to which the Cluster should refer, if it has no reference. `was`: whether the object
 * existed before. The name of an external kind may have been misspelled in the meantime, so it is not certain that the
 * object was deleted.
 */
const absent = (type: string, reference: Reference | undefined, what: string, was: boolean): ConditionClaim => {
  if (was) {
    const deleted = `${reference?.kind ?? what} ${reference?.name ?? '(none)'} has been deleted`;
    const message = reference && unservedKind(reference) ? absenceOf(reference) : deleted;
    return { type, status: 'False', reason: 'ObjectDeleted', message };
  }
  const message = reference ? absenceOf(reference) : `${what} (none) does not exist`;
  return { type, status: 'False', reason: 'ObjectDoesNotExist', message };
};

const infrastructureClaim = (cluster: Cluster, { infrastructure }: ClusterFacts, was: boolean): ConditionClaim => {
  const type = 'InfrastructureReady';
  if (!infrastructure) {
    return absent(type, cluster.spec.infrastructureRef, 'Infrastructure', was);
  }
  const { conditions, ready = false } = infrastructure.status ?? {};
  return mirrorReady(type, conditions, readyFallback(infrastructure.kind, ready));
};

const initializedClaim = (cluster: Cluster, initialized: boolean): ConditionClaim => {
  const type = 'ControlPlaneInitialized';
  if (initialized) return { type, status: 'True', reason: 'Initialized' };
  const message = isStandalone(cluster)
    ? 'No control plane Machine has a node yet'
    : 'Control plane not yet initialized';
  return { type, status: 'False', reason: 'NotInitialized', message };
};

const controlPlaneClaim = (cluster: Cluster, { controlPlane }: ClusterFacts, was: boolean): ConditionClaim => {
  const type = 'ControlPlaneAvailable';
  if (!controlPlane) {
    const { controlPlaneRef } = cluster.spec;
    return absent(type, controlPlaneRef, 'Control plane', was && controlPlaneRef !== undefined);
  }
  const found = findCondition(controlPlane.status?.conditions, 'Available');
  if (found?.status === 'True') return { type, status: 'True', reason: 'Available' };
  const message = found?.message || 'Control plane not yet available';
  return { type, status: found?.status ?? 'False', reason: 'NotAvailable', message };
};

const workersClaim = ({ deployments }: ClusterFacts): ConditionClaim => {
  const type = 'WorkersAvailable';
  if (deployments.length === 0) return { type, status: 'True', reason: 'NoWorkers' };
  const sources = deployments.map(({ metadata, status }) => ({ name: metadata.name, conditions: status?.conditions }));
  const reasons = ['Available', 'NotAvailable', 'AvailableUnknown'] as const;
  return aggregate(type, 'Available', sources, reasons, 'MachineDeployment');
};

const machineClaims = (prefix: string, machines: readonly Machine[]): ConditionClaim[] => {
  const sources = aggregateSources(machines);
  const sum = (suffix: string, source: string): ConditionClaim =>
    machines.length === 0
      ? { type: `${prefix}${suffix}`, status: 'True', reason: 'NoReplicas' }
      : aggregate(`${prefix}${suffix}`, source, sources, [source, `Not${source}`, `${source}Unknown`]);
  return [sum('MachinesReady', 'Ready'), sum('MachinesUpToDate', 'UpToDate')];
};

/**
 * As in upstream, Machines of pools count in no condition of the Cluster, because they do not report all conditions.
 */
const withoutPools = (machines: readonly Machine[]): Machine[] =>
  machines.filter(({ metadata }) => !(LABEL.poolName in (metadata.labels ?? {})));

const probeClaim = (cluster: Cluster, { probe }: ClusterFacts): ConditionClaim => {
  const type = 'RemoteConnectionProbe';
  const before = findCondition(cluster.status?.conditions, type);
  if (!probe) return before ?? { type, status: 'False', reason: 'ProbeFailed', message: NOT_CONNECTED };
  if (probe.reached) return { type, status: 'True', reason: 'ProbeSucceeded' };
  return {
    type,
    status: 'False',
    reason: 'ProbeFailed',
    message: `Remote connection probe failed: ${probe.why ?? ''}`,
  };
};

/**
 * One of RollingOut, ScalingUp, ScalingDown and Remediating, from the same condition of the control plane and the
 * workers.
 */
const activityClaim = (type: string, { controlPlane, deployments }: ClusterFacts): ConditionClaim => {
  const owners = [...(controlPlane ? [controlPlane] : []), ...deployments];
  const active = owners.flatMap((owner) => {
    const found: Condition | undefined = findCondition(owner.status?.conditions, type);
    if (found?.status !== 'True') return [];
    return [{ kind: owner.kind, name: owner.metadata.name, message: found.message }];
  });
  return active.length === 0
    ? { type, status: 'False', reason: `Not${type}` }
    : { type, status: 'True', reason: type, message: activityMessage(active) };
};

const NOT_CONNECTED = 'Remote connection not established yet';

const AVAILABLE_INPUTS = [
  { type: 'Deleting', negative: true },
  { type: 'RemoteConnectionProbe' },
  { type: 'InfrastructureReady' },
  { type: 'ControlPlaneAvailable' },
  { type: 'WorkersAvailable' },
  { type: 'TopologyReconciled', optional: true },
] as const;

const GONE: readonly string[] = ['ObjectDeleted', 'ObjectDoesNotExist'];

/** While a cluster is being deleted, it is expected that the objects to which it refers are gone. */
const goneFor = ({ metadata }: Cluster, type: string): SummaryInput['isFine'] => {
  const isReference = type === 'InfrastructureReady' || type === 'ControlPlaneAvailable';
  return metadata.deletionTimestamp && isReference ? ({ reason }) => GONE.includes(reason) : undefined;
};

/**
 * If a topology waits for its turn, the cluster remains available. Only one that cannot be carried out makes it
 * unavailable.
 */
const TOPOLOGY_FAILURES: readonly string[] = ['ReconcileFailed', 'ClusterClassNotReconciled'];

const isTopologyFine = (type: string): SummaryInput['isFine'] =>
  type === 'TopologyReconciled' ? ({ reason }) => !TOPOLOGY_FAILURES.includes(reason) : undefined;

/** The topology's own conditions are known before the rest is summarized. */
const topologyConditions = (cluster: Cluster) =>
  (cluster.status?.conditions ?? []).filter(({ type }) => cluster.spec.topology && type === 'TopologyReconciled');

const availableClaim = (
  cluster: Cluster,
  claims: readonly ConditionClaim[],
  classGates?: ClusterFacts['classGates'],
): ConditionClaim => {
  const gates = (cluster.spec.availabilityGates ?? classGates ?? []).map((gate) => ({
    type: gate.conditionType,
    negative: gate.polarity === 'Negative',
  }));
  const known = [
    ...claims,
    ...topologyConditions(cluster),
    ...(cluster.status?.conditions ?? []).filter(({ type }) => gates.some((g) => g.type === type)),
  ];
  const inputs = [...AVAILABLE_INPUTS, ...gates].map((input) => ({
    ...input,
    isFine: goneFor(cluster, input.type) ?? isTopologyFine(input.type),
  }));
  return summarize('Available', inputs, known, ['Available', 'NotAvailable', 'AvailableUnknown']);
};

/** All conditions of a Cluster, and Available as their summary (upstream's setAvailableCondition). */
export const clusterClaims = (
  cluster: Cluster,
  facts: ClusterFacts,
  { provisioned, initialized }: Initialization,
): ConditionClaim[] => {
  const claims: ConditionClaim[] = [
    infrastructureClaim(cluster, facts, provisioned),
    initializedClaim(cluster, initialized),
    controlPlaneClaim(cluster, facts, initialized),
    workersClaim(facts),
    ...machineClaims('ControlPlane', facts.controlPlaneMachines),
    ...machineClaims('Worker', withoutPools(facts.workerMachines)),
    probeClaim(cluster, facts),
    ...['RollingOut', 'ScalingUp', 'ScalingDown', 'Remediating'].map((type) => activityClaim(type, facts)),
    deletingClaim(cluster, facts),
    pausedClaim(cluster),
  ];
  return [availableClaim(cluster, claims, facts.classGates), ...claims];
};

const notReported = (type: string, source: string): ConditionClaim => ({
  type,
  status: 'Unknown',
  reason: 'NotYetReported',
  message: `Condition ${source} not yet reported`,
});

/** Conditions of a Cluster that was just created and whose references have not been read yet. */
export const firstClusterClaims = (cluster: Cluster): ConditionClaim[] => {
  const claims: ConditionClaim[] = [
    { type: 'RemoteConnectionProbe', status: 'False', reason: 'ProbeFailed', message: NOT_CONNECTED },
    notReported('InfrastructureReady', 'Ready'),
    notReported('ControlPlaneAvailable', 'Available'),
    initializedClaim(cluster, false),
    { type: 'Deleting', status: 'False', reason: 'NotDeleting' },
    pausedClaim(cluster),
  ];
  return [availableClaim(cluster, claims), ...claims];
};
