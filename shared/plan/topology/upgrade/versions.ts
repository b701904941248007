import type { Topology } from '../../../kinds/cluster/schema.ts';
import { TopologyError } from '../error.ts';
import type { UpgradePlan } from './plan.ts';

/** What a pass knows about the existing control plane. */
export interface ControlPlaneState {
  version: string;
  /** It is being created: no version is reported yet. */
  isProvisioning: boolean;
  isUpgrading: boolean;
}

/** A group of workers that the topology has. */
export interface WorkersState {
  topologyName: string;
  /** Undefined if the object does not exist yet. */
  current: { name: string; version: string; isUpgrading: boolean } | undefined;
  annotations: Readonly<Record<string, string>>;
}

/** The result of a pass for one kind of workers. Names are unsorted: conditions sort them. */
export interface WorkersProgress {
  /** The version of each group, by its name in the topology. */
  versions: ReadonlyMap<string, string>;
  upgrading: ReadonlySet<string>;
  pending: ReadonlySet<string>;
  deferred: ReadonlySet<string>;
  /** Topology names of groups that are not created while the control plane is changing. */
  pendingCreate: ReadonlySet<string>;
}

export interface ControlPlaneProgress {
  version: string;
  isProvisioning: boolean;
  isUpgrading: boolean;
  isPending: boolean;
  isStarting: boolean;
  isWaitingForWorkers: boolean;
  /** An extension blocks the upgrade of the workers. */
  isBlockingWorkers?: boolean;
}

const IDLE = {
  isProvisioning: false,
  isUpgrading: false,
  isPending: false,
  isStarting: false,
  isWaitingForWorkers: false,
};

/** The extensions' decisions on the steps of an upgrade. Each method is called in turn, and true means to continue. */
export interface UpgradeGates {
  /** The control plane is being upgraded to the version. */
  upgrading(version: string): void;
  /** The control plane has the version, and workers may follow. */
  afterControlPlane(version: string): boolean;
  /** Workers that must follow have the version. */
  afterWorkers(version: string): boolean;
  /** The control plane may be upgraded from one version to the next. */
  beforeUpgrade(from: string, next: string): boolean;
}

const OPEN: UpgradeGates = {
  upgrading: () => undefined,
  afterControlPlane: () => true,
  afterWorkers: () => true,
  beforeUpgrade: () => true,
};

/**
 * The version that the control plane gets in this pass (computeControlPlaneVersion): the next one of the plan, provided
 * that it is stable and that no workers are upgrading or must catch up first.
 */
export const nextControlPlaneVersion = (
  desired: string,
  current: ControlPlaneState | undefined,
  plan: UpgradePlan,
  areWorkersUpgrading: boolean,
  gates: UpgradeGates = OPEN,
): ControlPlaneProgress => {
  if (!current) return { ...IDLE, version: desired };
  const stays = { ...IDLE, version: current.version, isPending: current.version !== desired };
  if (current.isProvisioning) return { ...stays, isProvisioning: true };
  if (current.isUpgrading) {
    gates.upgrading(current.version);
    return { ...stays, isUpgrading: true };
  }
  if (!gates.afterControlPlane(current.version)) return { ...stays, isBlockingWorkers: true };
  if (plan.workers[0] === current.version) return { ...stays, isWaitingForWorkers: true };
  if (areWorkersUpgrading || !gates.afterWorkers(current.version) || !stays.isPending) return stays;
  const [version] = plan.controlPlane;
  if (version === undefined) {
    throw new TopologyError(
      'cannot compute the control plane version if the control plane is pending upgrade and the upgrade plan is not set',
    );
  }
  if (!gates.beforeUpgrade(current.version, version)) return stays;
  return { ...IDLE, version, isStarting: true };
};

const HOLD = 'topology.cluster.x-k8s.io/hold-upgrade-sequence';
const DEFER = 'topology.cluster.x-k8s.io/defer-upgrade';

/** Annotations that control the order of an upgrade; they are not propagated to objects. */
export const SEQUENCE_ANNOTATIONS: readonly string[] = [HOLD, DEFER];

const isDeferred = (group: WorkersState, all: readonly WorkersState[]): boolean => {
  const upTo = all.slice(0, all.indexOf(group) + 1);
  return DEFER in group.annotations || upTo.some(({ annotations }) => HOLD in annotations);
};

/** Whether the control plane is neither being created nor upgraded, nor about to be. */
export const isStable = (progress: ControlPlaneProgress, mayWait: boolean): boolean => {
  const { isProvisioning, isUpgrading, isStarting, isPending, isWaitingForWorkers } = progress;
  if (isProvisioning || isUpgrading || isStarting) return false;
  return !isPending || (mayWait && isWaitingForWorkers);
};

const CONCURRENCY = 'topology.cluster.x-k8s.io/upgrade-concurrency';

/** How many groups of workers may upgrade concurrently; the default is 1. */
export const upgradeConcurrency = (annotations: Readonly<Record<string, string>> = {}): number => {
  const given = Number(annotations[CONCURRENCY] ?? 1);
  return Number.isInteger(given) && given >= 1 ? given : 1;
};

/**
 * The versions that groups of workers get in this pass (computeMachineDeploymentVersion, computeMachinePoolVersion): in
 * the order of the topology, as many concurrently as the cluster allows, and none while the control plane is changing.
 */
export const nextWorkersVersions = (
  desired: Topology['version'],
  groups: readonly WorkersState[],
  progress: ControlPlaneProgress,
  [next]: readonly string[],
  concurrency: number,
): WorkersProgress => {
  const upgrading = new Set(groups.flatMap(({ current }) => (current?.isUpgrading ? [current.name] : [])));
  const [pending, deferred, pendingCreate] = [new Set<string>(), new Set<string>(), new Set<string>()];
  const versionOf = (group: WorkersState): string => {
    const { current, topologyName } = group;
    if (!current) {
      if (!isStable(progress, false) || progress.isBlockingWorkers) pendingCreate.add(topologyName);
      return desired;
    }
    const { name, version } = current;
    if (version === desired) return version;
    const mustWait = isDeferred(group, groups);
    if (mustWait) deferred.add(name);
    if (
      mustWait ||
      progress.isBlockingWorkers ||
      upgrading.size >= concurrency ||
      !isStable(progress, true) ||
      next === version
    ) {
      pending.add(name);
      return version;
    }
    if (next === undefined) {
      throw new TopologyError(
        `cannot compute the version of ${name}: an upgrade is pending and there is no upgrade plan`,
      );
    }
    upgrading.add(name);
    return next;
  };
  const versions = new Map(groups.map((group) => [group.topologyName, versionOf(group)]));
  return { versions, upgrading, pending, deferred, pendingCreate };
};
