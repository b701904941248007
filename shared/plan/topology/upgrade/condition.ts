import type { Blocking } from '../hooks/session.ts';
import type { UpgradePlan } from './plan.ts';
import type { ControlPlaneProgress, WorkersProgress } from './versions.ts';

/** The condition TopologyReconciled, without times. Reasons and messages are upstream's. */
export interface TopologyCondition {
  type: 'TopologyReconciled';
  status: 'True' | 'False';
  reason: string;
  message: string;
}

const TYPE = 'TopologyReconciled' as const;

export const pausedTopology = (bySpec: boolean, byAnnotation: boolean): TopologyCondition => {
  const messages = [
    ...(bySpec ? ['Cluster spec.paused is set to true'] : []),
    ...(byAnnotation ? ['Cluster has the cluster.x-k8s.io/paused annotation'] : []),
  ];
  return { type: TYPE, status: 'False', reason: 'Paused', message: messages.join(', ') };
};

export const failedTopology = (message: string, reason = 'ReconcileFailed'): TopologyCondition => ({
  type: TYPE,
  status: 'False',
  reason,
  message,
});

/** `what` is what the hooks block, in upstream's wording. */
const blockedBy = (blocking: readonly Blocking[], what: string): string => {
  const hooks = blocking.map(({ hook, message }) => (message === '' ? hook : `${hook}: ${message}`));
  return `Following hooks are blocking ${what}: ${hooks.join('; ')}`;
};

export const deletingTopology = (blocking: readonly Blocking[] = []): TopologyCondition => ({
  type: TYPE,
  status: 'False',
  reason: 'Deleting',
  message: ['Cluster is deleting', ...(blocking.length > 0 ? [blockedBy(blocking, 'delete')] : [])].join('. '),
});

/** Hooks block the creation of the topology's objects. */
export const creatingTopology = (blocking: readonly Blocking[]): TopologyCondition => ({
  type: TYPE,
  status: 'False',
  reason: 'ClusterCreating',
  message: blockedBy(blocking, 'Cluster topology creation'),
});

/** The text, with its missing space, is upstream's. */
export const classNotReconciled = (): TopologyCondition => ({
  type: TYPE,
  status: 'False',
  reason: 'ClusterClassNotReconciled',
  message:
    'ClusterClass not reconciled. If this condition persists please check ClusterClass status. A ClusterClass is reconciled if' +
    '.status.observedGeneration == .metadata.generation is true. If this is not the case either ClusterClass reconciliation failed or the ClusterClass is paused',
});

const reconciled: TopologyCondition = { type: TYPE, status: 'True', reason: 'ReconcileSucceeded', message: '' };

const SHOWN = 3;

const listed = (kind: string, names: Iterable<string>): string => {
  const sorted = [...names].sort();
  if (sorted.length === 1) return `${kind} ${sorted[0]}`;
  if (sorted.length <= SHOWN) return `${kind}s ${sorted.join(', ')}`;
  return `${kind}s ${sorted.slice(0, SHOWN).join(', ')}, ... (${sorted.length - SHOWN} more)`;
};

const rest = (plan: readonly string[], version: string): string => {
  const ahead = plan.filter((it) => it !== version);
  return ahead.length > 0 ? ` (${ahead.join(', ')} pending)` : '';
};

/** A group that is upgrading is neither deferred nor pending, and a deferred group is not pending. */
const distinct = ({ upgrading, deferred, pending }: WorkersProgress) => {
  const held = [...deferred].filter((name) => !upgrading.has(name));
  return { held, waiting: [...pending].filter((name) => !upgrading.has(name) && !held.includes(name)) };
};

interface Workers {
  kind: 'MachineDeployment' | 'MachinePool';
  progress: WorkersProgress;
}

/** The names of the annotations in messages. Upstream only writes the first one with its domain for pools. */
const DEFERRED_BY = {
  MachineDeployment: 'defer-upgrade or hold-upgrade-sequence annotations',
  MachinePool: 'topology.cluster.x-k8s.io/defer-upgrade or hold-upgrade-sequence annotations',
} as const;

const workersLines = ({ kind, progress }: Workers, plan: readonly string[], version: string): string[] => {
  const { held, waiting } = distinct(progress);
  const { upgrading, pendingCreate } = progress;
  return [
    ...(upgrading.size > 0 ? [`${listed(kind, upgrading)} upgrading to version ${version}${rest(plan, version)}`] : []),
    ...(waiting.length > 0 && plan.length > 0
      ? [`${listed(kind, waiting)} pending upgrade to version ${plan.join(', ')}`]
      : []),
    ...(held.length > 0
      ? [`${listed(kind, held)} upgrade to version ${version} deferred using ${DEFERRED_BY[kind]}`]
      : []),
    ...(pendingCreate.size > 0
      ? [`${listed(kind, pendingCreate)} creation deferred while control plane upgrade is in progress`]
      : []),
  ];
};

/** Whether workers are still to be upgraded or created. */
export const isBusy = ({ upgrading, pending, deferred, pendingCreate }: WorkersProgress): boolean =>
  upgrading.size + pending.size + deferred.size + pendingCreate.size > 0;

/** Only annotations of users block these workers. */
const isHeldOnly = ({ progress }: Workers, controlPlane: ControlPlaneProgress): boolean => {
  const { held, waiting } = distinct(progress);
  const isMoving = controlPlane.isStarting || controlPlane.isUpgrading || progress.upgrading.size > 0;
  return held.length > 0 && waiting.length === 0 && !isMoving;
};

const controlPlaneLine = (kind: string, progress: ControlPlaneProgress, plan: readonly string[]): string[] => {
  const { version, isStarting, isUpgrading } = progress;
  if (isStarting || isUpgrading) return [`${kind} upgrading to version ${version}${rest(plan, version)}`];
  return plan.length > 0 ? [`${kind} pending upgrade to version ${plan.join(', ')}`] : [];
};

/** What a pass has decided. */
export interface TopologyProgress {
  /** `spec.topology.version`. */
  desired: string;
  controlPlaneKind: string;
  controlPlane: ControlPlaneProgress;
  machineDeployments: WorkersProgress;
  machinePools: WorkersProgress;
  plan: UpgradePlan;
  /** Hooks that block the upgrade. */
  blocking?: readonly Blocking[];
  /** The extensions have not yet been called for the end of the upgrade. */
  isUnfinished?: boolean;
}

/** Whether all objects are in the topology's desired state, and otherwise what an upgrade waits for. */
export const topologyCondition = (of: TopologyProgress): TopologyCondition => {
  const { controlPlane, machineDeployments, machinePools, plan, blocking = [], isUnfinished } = of;
  const isChanging = controlPlane.isPending || controlPlane.isStarting || controlPlane.isUpgrading;
  if (!isChanging && !isUnfinished && !isBusy(machineDeployments) && !isBusy(machinePools)) return reconciled;
  const kinds: Workers[] = [
    { kind: 'MachineDeployment', progress: machineDeployments },
    { kind: 'MachinePool', progress: machinePools },
  ];
  const held = blocking.length > 0 ? undefined : kinds.find((workers) => isHeldOnly(workers, controlPlane));
  const lines = [
    ...(blocking.length > 0 ? [blockedBy(blocking, 'upgrade')] : []),
    ...controlPlaneLine(of.controlPlaneKind, controlPlane, plan.controlPlane),
    ...kinds.flatMap((workers) => workersLines(workers, plan.workers, controlPlane.version)),
  ];
  return {
    type: TYPE,
    status: 'False',
    reason: held ? `${held.kind}sUpgradeDeferred` : 'ClusterUpgrading',
    message: [`Cluster is upgrading to ${of.desired}`, ...lines].join('\n  * '),
  };
};
