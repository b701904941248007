import type { ControlPlane } from '../../kinds/contract-objects.ts';
import type { Machine } from '../../kinds/index.ts';
import { awaitsRemediation } from '../health/machine.ts';
import { ANNOTATION } from '../labels.ts';
import { type ConditionClaim, isTrue } from '../status/conditions.ts';
import type { HealthConditions } from './distribution-rules.ts';
import type { EtcdView } from './etcd-view.ts';
import { byAge } from './placement.ts';
import { isFormed } from './plan.ts';
import { isDeleting, isJoining } from './preflight.ts';
import { inProgress, isStale, type RemediationData } from './remediation-data.ts';
import { checkRetryLimits, type RemediationSettings } from './retry-limits.ts';
import { hasWorkingMachine, isInTheWay, isServedByLeaving, keepsQuorumWithout, whyNotAdd } from './target-health.ts';

export interface ControlPlaneRemediationFacts {
  controlPlane: ControlPlane;
  /** The machines that this control plane owns, including those being deleted. */
  machines: readonly Machine[];
  /** See wantedMachines. */
  wanted: number;
  settings: RemediationSettings;
  health: HealthConditions;
  /** `unasked`: etcd was not queried yet; undefined: it did not respond. Ignored if etcd is external. */
  etcd: EtcdView | 'unasked' | undefined;
  now: Date;
}

/**
 * The next step. `ask-etcd`: plan again with etcd's state. `wait`: record on the machine why it is not remediated
 * (`isNeeded`: the control plane would not work without it). `remove`: delete the machine, also if its remediation was
 * started and interrupted.
 */
export type ControlPlaneRemediation =
  | { do: 'nothing' }
  | { do: 'ask-etcd' }
  | { do: 'wait'; machine: Machine; claim: ConditionClaim; isNeeded?: true }
  | { do: 'remove'; machine: Machine; claim: ConditionClaim; data: RemediationData };

const claim = (reason: string, message: string): ConditionClaim => ({
  ...{ type: 'OwnerRemediated', status: 'False', reason, message },
});

const DELETING = claim('MachineDeleting', 'Machine is deleting');
const deferred = (message: string): ConditionClaim => claim('RemediationDeferred', message);
const impossible = (message: string): ConditionClaim => claim('CannotBeRemediated', message);

/**
 * The criteria for which of two machines is more broken and is deleted first: 1 if a criterion applies to the machine.
 */
const urgency = (machine: Machine, { components, etcd }: HealthConditions): number[] => [
  Number(ANNOTATION.remediateMachine in (machine.metadata.annotations ?? {})),
  Number(machine.status?.nodeRef === undefined),
  // The member comes before its pod.
  ...[...etcd].reverse().map((type) => Number(!isTrue(machine.status?.conditions, type))),
  ...components.map((type) => Number(!isTrue(machine.status?.conditions, type))),
  Number(!isTrue(machine.status?.conditions, 'NodeKubeadmLabelsAndTaintsSet')),
];

/**
 * The machines to be remediated, the most broken first, and of equal ones the oldest first (upstream's
 * getMachineToBeRemediated).
 */
const machinesToRemediate = (machines: readonly Machine[], health: HealthConditions): Machine[] =>
  machines.filter(awaitsRemediation).sort((a, b) => {
    const [left, right] = [urgency(a, health), urgency(b, health)];
    const at = left.findIndex((value, index) => value !== right[index]);
    return at < 0 ? byAge(a, b) : (right[at] ?? 0) - (left[at] ?? 0);
  });

const unsafe = (kind: string): ConditionClaim =>
  impossible(
    `${kind} can't remediate this Machine because this could result in loosing Kubernetes control plane components or in etcd quorum loss`,
  );

const tooFew = (kind: string): ConditionClaim =>
  impossible(`${kind} can't remediate if current replicas are less or equal to 1`);

type Owned = Pick<ControlPlaneRemediationFacts, 'controlPlane' | 'machines'>;

/** What must be completed first, once the control plane is initialized. */
const underWay = ({ controlPlane: { kind }, machines }: Owned): ConditionClaim | undefined => {
  const awaited = (what: string) =>
    deferred(`${kind} waiting for control plane Machine ${what} to complete before triggering remediation`);
  if (machines.some(isJoining)) return awaited('provisioning');
  return machines.some(isDeleting) ? awaited('deletion') : undefined;
};

/** Whether the rest of the control plane works without the machine. */
const isSafe = (machine: Machine, { machines, health, etcd }: ControlPlaneRemediationFacts): boolean => {
  const others = machines.filter((other) => other !== machine);
  if (!hasWorkingMachine(others, health)) return false;
  const member = machine.status?.nodeRef?.name;
  // For a machine without a node, no member can be known.
  if (health.etcd.length === 0 || !member) return true;
  return typeof etcd === 'object' && keepsQuorumWithout(etcd, member, others);
};

/** Why the machine must wait for others or for etcd's state; `ask` if etcd must be queried first. */
const whyNotNow = (machine: Machine, facts: ControlPlaneRemediationFacts): ConditionClaim | 'ask' | undefined => {
  const { machines, health, etcd } = facts;
  const waits = underWay(facts);
  if (health.etcd.length === 0) return waits;
  const node = machine.status?.nodeRef?.name;
  const isServed = isServedByLeaving(machines, health);
  if (waits && !node) return isServed ? undefined : waits;
  if (etcd === 'unasked') return 'ask';
  if (!etcd || etcd.members.length === 0) {
    return waits ?? deferred('Failed to check etcd cluster health before remediation');
  }
  return isServed || isInTheWay(etcd, node ?? '', machines.filter(isDeleting)) ? undefined : waits;
};

const whenFormed = (
  machine: Machine,
  facts: ControlPlaneRemediationFacts,
): ConditionClaim | 'ask' | 'needed' | undefined => {
  if (facts.machines.length <= 1) return tooFew(facts.controlPlane.kind);
  return whyNotNow(machine, facts) ?? (isSafe(machine, facts) ? undefined : 'needed');
};

/** The remediation in progress, unless it is over. */
export const currentRemediation = (
  controlPlane: ControlPlane,
  machines: readonly Machine[],
  wanted: number,
): RemediationData | undefined => {
  const data = inProgress(controlPlane);
  return data && !isStale(data, machines, wanted) ? data : undefined;
};

/**
 * Whether the remediation in progress is completed before another one starts: the new machine can be added now, or
 * soon, because nothing prevents a deletion if there is no cluster.
 */
const mustFinishFirst = (facts: ControlPlaneRemediationFacts): boolean =>
  isFormed(facts.controlPlane)
    ? underWay(facts) === undefined && whyNotAdd(facts.machines, facts.health) === undefined
    : facts.machines.some(isDeleting);

/** The replacement completes both remediations, so it counts as the later attempt of the two. */
const following = (running: RemediationData | undefined, next: RemediationData): RemediationData => ({
  ...next,
  retryCount: Math.max(running?.retryCount ?? 0, next.retryCount),
});

const NOTHING: ControlPlaneRemediation = { do: 'nothing' };

const planFor = (machine: Machine, facts: ControlPlaneRemediationFacts): ControlPlaneRemediation => {
  const { controlPlane, machines, wanted, settings, now } = facts;
  if (isDeleting(machine)) return NOTHING;
  const running = currentRemediation(controlPlane, machines, wanted);
  // This remediation was interrupted before the machine was deleted. It is completed in the way in which it was
  // started.
  if (running?.machine === machine.metadata.name) return { do: 'remove', machine, claim: DELETING, data: running };
  if (running && mustFinishFirst(facts)) return NOTHING;
  const wait = (why: ConditionClaim, needed: { isNeeded?: true } = {}): ControlPlaneRemediation =>
    running && underWay(facts) ? NOTHING : { do: 'wait', machine, claim: why, ...needed };
  const retry = checkRetryLimits(machine, { ...settings, kind: controlPlane.kind }, now);
  if (!('data' in retry)) return wait(claim(retry.reason, retry.message));
  const closed = isFormed(controlPlane) ? whenFormed(machine, facts) : undefined;
  if (closed === 'ask') return { do: 'ask-etcd' };
  if (closed === 'needed') return wait(unsafe(controlPlane.kind), { isNeeded: true });
  if (closed) return wait(closed);
  return { do: 'remove', machine, claim: DELETING, data: following(running, retry.data) };
};

const acts = (plan: ControlPlaneRemediation): boolean => plan.do === 'remove' || plan.do === 'ask-etcd';

/**
 * Which unhealthy machine of a control plane is deleted now, or why none is. The conditions, their order and messages
 * are those of Cluster API's KubeadmControlPlane (remediation.go), of which the RKE2 provider has a copy. There are
 * three exceptions, because machines would otherwise wait for each other forever:
 * - If others can neither join nor leave because the machine's member does not respond, the machine does not wait for
 *   them, nor for its turn: etcd adds no member in that case, and removes none that it needs.
 * - If the most broken machine is needed because of other unhealthy machines, these are remediated first. A user may
 *   have marked a healthy machine, which is then the most broken one.
 * - If another remediation is in progress whose replacement cannot be added because of the unhealthy machines, the next
 *   machine is remediated first, under the same conditions as the first one.
 */
export const planControlPlaneRemediation = (facts: ControlPlaneRemediationFacts): ControlPlaneRemediation => {
  const { controlPlane, machines, health } = facts;
  const [first, ...others] = machinesToRemediate(machines, health);
  if (!first) return NOTHING;
  const plan = planFor(first, facts);
  const isNeeded = plan.do === 'wait' && plan.isNeeded === true;
  const isHeldUp = underWay(facts) !== undefined || isNeeded;
  if (acts(plan) || !isFormed(controlPlane) || !isHeldUp) return plan;
  return others.map((machine) => planFor(machine, facts)).find(acts) ?? plan;
};
