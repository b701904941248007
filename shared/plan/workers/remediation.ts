import type { Machine, MachineDeployment, MachineSet } from '../../kinds/index.ts';
import { awaitsRemediation } from '../health/machine.ts';
import { scaledValue } from '../int-or-percent.ts';
import { ANNOTATION } from '../labels.ts';
import { rolesOf } from '../rollout/current-set.ts';
import { revisionOf } from '../rollout/desired-set.ts';
import { type ConditionClaim, findCondition } from '../status/conditions.ts';

/** The input of the remediation of a set's machines. */
export interface SetRemediationFacts {
  /** The machines that the set owns, including those being deleted. */
  machines: readonly Machine[];
  /** The set's deployment, and whether it still needs the set's machines; absent if the set has no deployment. */
  owner?: { deployment: MachineDeployment; isCurrent: boolean };
  /** Why the set must not replace machines now, one line per check. */
  preflight: readonly string[];
}

export interface SetRemediationPlan {
  /**
   * The conditions for each machine. They are written first, because machines that are being deleted could not be
   * distinguished later.
   */
  say: { machine: Machine; claim: ConditionClaim }[];
  /** The machines among these that must be deleted. */
  remove: Machine[];
}

const TYPE = 'OwnerRemediated';
const DELETING = 'MachineDeleting';

const claim = (reason: string, message: string): ConditionClaim => ({ type: TYPE, status: 'False', reason, message });

/** The machines that their set is to replace. */
export const machinesToRemediate = (machines: readonly Machine[]): Machine[] =>
  machines.filter((machine) => !machine.metadata.deletionTimestamp && awaitsRemediation(machine));

const isInFlight = ({ metadata, status }: Machine): boolean => {
  const found = findCondition(status?.conditions, TYPE);
  return metadata.deletionTimestamp !== undefined && found?.status === 'False' && found.reason === DELETING;
};

const isChosen = ({ metadata }: Machine): boolean => ANNOTATION.remediateMachine in (metadata.annotations ?? {});
const bornAt = ({ metadata }: Machine): number => Date.parse(metadata.creationTimestamp ?? '') || 0;

/**
 * Machines that the user has marked come first, then the newest ones: a machine that never became a node probably runs
 * nothing.
 */
const inOrder = (machines: readonly Machine[]): Machine[] =>
  [...machines].sort(
    (a, b) =>
      Number(isChosen(b)) - Number(isChosen(a)) ||
      bornAt(b) - bornAt(a) ||
      (a.metadata.name < b.metadata.name ? -1 : 1),
  );

/** How many machines may be replaced now, if the deployment sets a limit. */
const tokensOf = ({ machines, owner }: SetRemediationFacts): number => {
  const limit = owner?.deployment.spec.remediation?.maxInFlight;
  if (!owner || limit === undefined) return Number.POSITIVE_INFINITY;
  const most = scaledValue(limit, owner.deployment.spec.replicas ?? 1, Math.ceil);
  return Math.max(0, most - machines.filter(isInFlight).length);
};

/**
 * Whether a deployment still needs the machines of a set, one of `sets`, which are all of the deployment's. While the
 * rollout of a new template cannot begin, because the template does not exist or an annotation pauses the deployment,
 * the latest set remains in use. As in upstream, whose sets compare their revision with the deployment's, `spec.paused`
 * stops replacements together with the rollout.
 */
export const isStillWanted = (
  deployment: MachineDeployment,
  sets: readonly MachineSet[],
  set: MachineSet,
  now: Date,
): boolean => {
  const { current, old } = rolesOf(deployment, sets, now);
  if (current) return current.metadata.uid === set.metadata.uid;
  return !deployment.spec.paused && revisionOf(set) === Math.max(...old.map(revisionOf));
};

/**
 * Which unhealthy machines of a set are deleted now, so that the set creates others, and why the other ones are not.
 * The rules are those of Cluster API's machineset controller (reconcileUnhealthyMachines).
 */
export const planSetRemediation = (facts: SetRemediationFacts): SetRemediationPlan => {
  const all = inOrder(machinesToRemediate(facts.machines));
  const saying = (machines: readonly Machine[], said: ConditionClaim) =>
    machines.map((machine) => ({ machine, claim: said }));
  if (facts.owner && !facts.owner.isCurrent) {
    const message = "Machine won't be remediated because it is pending removal due to rollout";
    return { say: saying(all, claim('CannotBeRemediated', message)), remove: [] };
  }
  const tokens = tokensOf(facts);
  const now = all.slice(0, tokens);
  const limit = facts.owner?.deployment.spec.remediation?.maxInFlight;
  const later = `Waiting because there are already too many remediations in progress (spec.strategy.remediation.maxInFlight is ${limit})`;
  const deferred = saying(all.slice(now.length), claim('RemediationDeferred', later));
  if (now.length > 0 && facts.preflight.length > 0) {
    const lines = facts.preflight.map((line) => `* ${line}`).join('\n');
    return { say: [...deferred, ...saying(now, claim('RemediationDeferred', lines))], remove: [] };
  }
  return { say: [...deferred, ...saying(now, claim(DELETING, 'Machine is deleting'))], remove: now };
};
