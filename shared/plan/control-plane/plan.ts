import type { ControlPlane } from '../../kinds/contract-objects.ts';
import type { Machine } from '../../kinds/index.ts';
import { ANNOTATION } from '../labels.ts';
import { freeNames, type Naming, namingFault } from '../names.ts';
import type { HealthConditions } from './distribution-rules.ts';
import { emptiestDomain, machineToGo, stayingOf } from './placement.ts';
import { isDeleting, isHealthy, isJoining, isUnhealthy, preflight } from './preflight.ts';
import { MEMBER, whyNotAdd } from './target-health.ts';

/** A machine to be created: its name and its failure domain, if the cluster has any. */
export interface MachineIntent {
  name: string;
  failureDomain?: string;
}

export interface ControlPlaneFacts {
  controlPlane: ControlPlane;
  /** The machines that this control plane owns, including those being deleted. */
  machines: readonly Machine[];
  /** Names of machines that differ from what the control plane would create today. */
  outdated: ReadonlySet<string>;
  /** The lowest place for a new machine; see memory/used-places.ts. */
  firstPlace?: number;
  /** The control plane's own names for its machines, if it has a template for them. */
  naming?: Naming;
  /** Names of existing machines, with any owner. */
  taken?: readonly string[];
  /** Conditions that each machine must fulfil before a formed control plane is changed. */
  healthConditions: readonly string[];
  /** Failure domains in which control plane machines may be placed, sorted. */
  failureDomains: readonly string[];
  /** `spec.rollout.strategy.rollingUpdate.maxSurge`: 1 or 0. */
  maxSurge: number;
  /** The same conditions by kind, while a remediation waits for the machine that completes it. */
  replacing?: HealthConditions;
  /** Why outdated machines of a formed control plane are not replaced yet. */
  waits?: string;
  /**
   * Why no machine is created or deleted: a machine that this control plane does not control is part of the same
   * cluster.
   */
  mixed?: string;
  /** Names of machines that are deleted together, because the machine that initialized their cluster is gone. */
  stranded?: readonly string[];
}

export interface ControlPlanePlan {
  create: MachineIntent[];
  /** The machine to be deleted, which must leave etcd first. There are several only before a cluster exists. */
  remove?: readonly string[];
  /** Why nothing is done now although a change is needed; shown in a condition. */
  blocked?: string;
}

/** Whether machines are created or deleted now. */
export const isChange = ({ create, remove = [] }: ControlPlanePlan): boolean => create.length + remove.length > 0;

/** The same plan, without its changes. */
export const withoutChange = ({ blocked }: ControlPlanePlan): ControlPlanePlan => ({
  create: [],
  ...(blocked ? { blocked } : {}),
});

/**
 * Whether a control plane is initialized: then its machines change one after the other, and only while they are
 * healthy.
 */
export const isFormed = ({ status }: ControlPlane): boolean => status?.initialization?.controlPlaneInitialized === true;

/** The number of replicas from which a rollout may delete a machine before it creates another. */
const LEAST_FOR_SCALE_IN = 3;

/**
 * The number of machines up to which new ones are created: a rollout exceeds `spec.replicas` by the surge. `maxSurge`
 * is the same as in ControlPlaneFacts.
 */
export const wantedMachines = (controlPlane: ControlPlane, rollsOut: boolean, maxSurge: number): number => {
  const desired = controlPlane.spec.replicas ?? 1;
  if (!rollsOut || !isFormed(controlPlane)) return desired;
  // With one or two machines, none can be deleted first: to delete a single one would lose all its data.
  return desired + (desired < LEAST_FOR_SCALE_IN ? 1 : maxSurge);
};

/** At most `count` names for new machines of a control plane; the names in `more` are taken, too. */
export const newNames = (facts: ControlPlaneFacts, count: number, more: ReadonlySet<string> = new Set()): string[] => {
  const { controlPlane, machines, firstPlace, naming } = facts;
  const owner = { name: controlPlane.metadata.name, uid: controlPlane.metadata.uid ?? '' };
  const taken = new Set([...(facts.taken ?? []), ...machines.map((machine) => machine.metadata.name), ...more]);
  return freeNames(owner, taken, count, naming, firstPlace);
};

const newMachines = (facts: ControlPlaneFacts, count: number): MachineIntent[] => {
  const { machines, outdated, failureDomains } = facts;
  const staying = stayingOf(machines, outdated);
  const all = [...machines];
  return newNames(facts, count).map((name) => {
    const failureDomain = emptiestDomain(failureDomains, all, staying);
    if (failureDomain === undefined) return { name };
    const placed = { metadata: { name }, spec: { failureDomain } } as Machine;
    staying.push(placed);
    all.push(placed);
    return { name, failureDomain };
  });
};

/** Machines are created with names from the control plane's own template. If it gives none, the reason is reported. */
const making = (facts: ControlPlaneFacts, count: number): ControlPlanePlan => {
  const fault = whyNoNames(facts);
  return fault !== undefined && count > 0 ? { create: [], blocked: fault } : { create: newMachines(facts, count) };
};

const whyNoNames = ({ controlPlane, naming }: ControlPlaneFacts): string | undefined => {
  const fault = namingFault(naming, controlPlane.metadata.uid ?? '');
  return fault && `* ${fault}`;
};

const grow = (facts: ControlPlaneFacts): ControlPlanePlan => {
  const { machines, healthConditions, replacing } = facts;
  const problem = preflight(machines, healthConditions);
  // A machine that a remediation has deleted is recreated even if others are also unhealthy: it may be what repairs
  // them.
  const isUnderWay = machines.some((machine) => isDeleting(machine) || isJoining(machine));
  const blocked = problem && replacing && !isUnderWay ? whyNotAdd(machines, replacing) : problem;
  return blocked ? { create: [], blocked } : making(facts, 1);
};

/**
 * Whether users have deleted all machines of a control plane that is kept: the last one cannot leave etcd before
 * another one has joined.
 */
const losesAll = ({ machines, healthConditions }: ControlPlaneFacts): boolean =>
  healthConditions.includes(MEMBER) &&
  machines.length > 0 &&
  machines.every(isDeleting) &&
  machines.some((machine) => isHealthy(machine, healthConditions));

/**
 * The machines from which the next one to be deleted is chosen: first those that the user has marked, among the
 * outdated and then among all; then unhealthy outdated machines, then outdated ones, then any.
 */
const eligible = ({ machines, outdated, healthConditions }: ControlPlaneFacts): Machine[] => {
  const marked = (machine: Machine) => ANNOTATION.deleteMachine in (machine.metadata.annotations ?? {});
  const old = machines.filter(({ metadata }) => outdated.has(metadata.name));
  const choices = [
    old.filter(marked),
    machines.filter(marked),
    old.filter((machine) => isUnhealthy(machine, healthConditions)),
    old,
  ];
  return choices.find((choice) => choice.length > 0) ?? [...machines];
};

const shrink = (facts: ControlPlaneFacts): ControlPlanePlan => {
  const { machines, healthConditions, failureDomains } = facts;
  const leaving = machineToGo(failureDomains, machines, eligible(facts));
  const blocked = preflight(machines, healthConditions, leaving);
  if (blocked || !leaving) return { create: [], ...(blocked ? { blocked } : {}) };
  return { create: [], remove: [leaving.metadata.name] };
};

/** The maximum number of machines that one pass creates, whatever number is requested. No etcd has as many members. */
const MOST_AT_ONCE = 25;

/**
 * Before a control plane is initialized, its machines are created together. If a machine is being deleted, its end is
 * awaited: it may have initialized a cluster that was never observed, and a new machine would belong to another
 * cluster.
 */
const planUnformed = (facts: ControlPlaneFacts, desired: number): ControlPlanePlan => {
  const { machines, stranded = [] } = facts;
  if (stranded.length > 0) return { create: [], remove: stranded };
  const deleting = machines.find(isDeleting);
  if (deleting) return { create: [], blocked: `* Machine ${deleting.metadata.name} is being deleted` };
  if (machines.length > desired) {
    return { create: [], blocked: 'machines are removed only once the control plane is initialized' };
  }
  return making(facts, Math.min(MOST_AT_ONCE, desired - machines.length));
};

/**
 * The next change of a control plane's machines. Before it is initialized, all are created together, because
 * certificates, tokens and the endpoint are known beforehand. Afterwards there is one change at a time, and only while
 * all machines are healthy. A rollout creates an additional machine if the surge allows it, and otherwise removes an
 * outdated one. The rules are those of Cluster API's KubeadmControlPlane (update.go, scale.go), except if all machines
 * are being deleted: Cluster API lets the last one go, with all data, whereas here a new one is created first.
 */
export const planControlPlane = (facts: ControlPlaneFacts): ControlPlanePlan => {
  const { controlPlane, machines, outdated, maxSurge } = facts;
  const desired = controlPlane.spec.replicas ?? 1;
  if (facts.mixed) return { create: [], blocked: `* ${facts.mixed}` };
  if (!isFormed(controlPlane)) return planUnformed(facts, desired);
  const rollsOut = machines.some(({ metadata }) => outdated.has(metadata.name));
  // Nothing is deleted if its replacement cannot be created.
  const waits = facts.waits ?? whyNoNames(facts);
  if (rollsOut && waits) return { create: [], blocked: waits };
  if (losesAll(facts)) return making(facts, 1);
  if (machines.length < wantedMachines(controlPlane, rollsOut, maxSurge)) return grow(facts);
  return rollsOut || machines.length > desired ? shrink(facts) : { create: [] };
};
