import type { ControlPlane } from '../../distributions/objects.ts';
import type { Machine } from '../../kinds/index.ts';
import { freeNames } from '../names.ts';
import { findCondition, isTrue } from '../status/conditions.ts';

/** A machine to be made: its name and the failure domain that it is placed in, where the cluster has any. */
export interface MachineIntent {
  name: string;
  failureDomain?: string;
}

export interface ControlPlaneFacts {
  controlPlane: ControlPlane;
  /** The machines that this control plane owns, also those being deleted. */
  machines: readonly Machine[];
  /** Conditions that each machine must fulfil before a formed control plane is changed. */
  healthConditions: readonly string[];
  /** Failure domains in which control plane machines may be placed, sorted. */
  failureDomains: readonly string[];
}

export interface ControlPlanePlan {
  create: MachineIntent[];
  /** Why the number of machines is not what it should be and nothing is done about it now; shown in a condition. */
  blocked?: string;
}

const isDeleting = (machine: Machine): boolean => machine.metadata.deletionTimestamp !== undefined;

/** What keeps a formed control plane from growing; upstream's preflight checks of a scale up. */
const preflight = ({ machines, healthConditions }: ControlPlaneFacts): string | undefined => {
  const deleting = machines.find(isDeleting);
  if (deleting) return `* Machine ${deleting.metadata.name} is being deleted`;
  for (const { metadata, status } of machines) {
    if (!status?.nodeRef)
      return `* Machine ${metadata.name} does not have a corresponding Node yet (Machine.status.nodeRef not set)`;
    const bad = healthConditions.find((type) => !isTrue(status.conditions, type));
    if (bad) {
      const found = findCondition(status.conditions, bad);
      return `* Machine ${metadata.name}: ${bad} is ${found?.status ?? 'not reported yet'}${found?.message ? `: ${found.message}` : ''}`;
    }
  }
  return undefined;
};

const leastUsed = (domains: readonly string[], used: readonly (string | undefined)[]): string | undefined => {
  const countOf = (domain: string) => used.filter((other) => other === domain).length;
  return [...domains].sort((a, b) => countOf(a) - countOf(b) || (a < b ? -1 : 1))[0];
};

const place = (names: readonly string[], domains: readonly string[], machines: readonly Machine[]): MachineIntent[] => {
  const used = machines.filter((machine) => !isDeleting(machine)).map((machine) => machine.spec.failureDomain);
  return names.map((name) => {
    const failureDomain = leastUsed(domains, used);
    used.push(failureDomain);
    return failureDomain === undefined ? { name } : { name, failureDomain };
  });
};

/**
 * Which control plane machines to make now. Before the control plane is initialized all are made at once, because
 * certificates, tokens and endpoint are known beforehand; afterwards one at a time and only while all are healthy.
 */
export const planControlPlaneScale = (facts: ControlPlaneFacts): ControlPlanePlan => {
  const { controlPlane, machines, failureDomains } = facts;
  const desired = controlPlane.spec.replicas ?? 1;
  const live = machines.filter((machine) => !isDeleting(machine));
  const missing = desired - live.length;
  if (missing < 0) {
    return {
      create: [],
      blocked: 'removing control plane machines is not supported yet: it needs the etcd member to be removed first',
    };
  }
  if (missing === 0) return { create: [] };
  const formed = controlPlane.status?.initialization?.controlPlaneInitialized === true;
  const blocked = formed ? preflight(facts) : undefined;
  if (blocked) return { create: [], blocked };
  const owner = { name: controlPlane.metadata.name, uid: controlPlane.metadata.uid ?? '' };
  const taken = new Set(machines.map((machine) => machine.metadata.name));
  const names = freeNames(owner, taken, formed ? 1 : missing);
  return { create: place(names, failureDomains, machines) };
};
