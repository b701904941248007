import type { Machine, MachineDeployment, MachineSet } from '../../kinds/index.ts';
import { rolloutFields } from '../workers/machine-set.ts';
import { type ConditionClaim, isTrue, withConditions } from './conditions.ts';
import { countReplicas, countVersions, selectorText } from './counts.ts';
import { deletingClaim, machinesClaims, scalingClaims, steadyClaims } from './owner-claims.ts';

/** The status of a MachineSet from its machines. */
export const machineSetStatus = (
  set: MachineSet,
  machines: readonly Machine[],
  blocked: string | undefined,
  now: Date,
): NonNullable<MachineSet['status']> => {
  const deleting = set.metadata.deletionTimestamp !== undefined;
  const claims: ConditionClaim[] = [
    ...machinesClaims(machines),
    ...scalingClaims({ desired: set.spec.replicas ?? 1, machines, deleting, blocked }),
    deletingClaim(deleting, 'Deleting', machines),
    ...steadyClaims,
  ];
  const { versions: _before, ...rest } = set.status ?? {};
  return {
    ...rest,
    ...countReplicas(machines),
    ...countVersions(machines),
    selector: selectorText(set.spec.selector?.matchLabels),
    conditions: withConditions(set.status?.conditions, claims, set.metadata.generation, now),
    observedGeneration: set.metadata.generation,
  } as NonNullable<MachineSet['status']>;
};

/** maxUnavailable as a number of machines: a percentage rounds down, as in Kubernetes' Deployment. */
const maxUnavailable = ({ spec }: MachineDeployment): number => {
  const value = spec.rollout?.strategy?.rollingUpdate?.maxUnavailable ?? 0;
  if (typeof value === 'number') return value;
  return Math.floor((Number.parseInt(value, 10) * (spec.replicas ?? 1)) / 100);
};

const availableClaim = (deployment: MachineDeployment, available: number): ConditionClaim => {
  const type = 'Available';
  const needed = (deployment.spec.replicas ?? 1) - maxUnavailable(deployment);
  if (available >= needed) return { type, status: 'True', reason: 'Available' };
  const message = `${available} available replicas, at least ${needed} required (spec.replicas is ${deployment.spec.replicas ?? 1})`;
  return { type, status: 'False', reason: 'NotAvailable', message };
};

const rollingOutClaim = (outdated: readonly Machine[]): ConditionClaim =>
  outdated.length === 0
    ? { type: 'RollingOut', status: 'False', reason: 'NotRollingOut' }
    : {
        type: 'RollingOut',
        status: 'True',
        reason: 'RollingOut',
        message: `${outdated.length} of the replicas are not up to date with spec.template; replacing them is not supported yet`,
      };

const phaseOf = (claims: readonly ConditionClaim[]): string => {
  if (claims.some(({ type, status }) => type === 'ScalingUp' && status === 'True')) return 'ScalingUp';
  if (claims.some(({ type, status }) => type === 'ScalingDown' && status === 'True')) return 'ScalingDown';
  return 'Running';
};

/** The status of a MachineDeployment from its sets and all their machines. */
export const machineDeploymentStatus = (
  deployment: MachineDeployment,
  sets: readonly MachineSet[],
  machines: readonly Machine[],
  blocked: string | undefined,
  now: Date,
): NonNullable<MachineDeployment['status']> => {
  const deleting = deployment.metadata.deletionTimestamp !== undefined;
  const counts = countReplicas(machines);
  const stale = new Set(
    sets.filter((set) => rolloutFields(set) !== rolloutFields(deployment)).map((set) => set.metadata.uid),
  );
  const outdated = machines.filter((m) => m.metadata.ownerReferences?.some((o) => stale.has(o.uid)));
  const claims: ConditionClaim[] = [
    availableClaim(deployment, counts.availableReplicas),
    ...machinesClaims(machines),
    rollingOutClaim(outdated),
    ...scalingClaims({ desired: deployment.spec.replicas ?? 1, machines, deleting, blocked }),
    deletingClaim(deleting, 'Deleting', machines),
    ...steadyClaims,
  ];
  const { versions: _before, ...rest } = deployment.status ?? {};
  return {
    ...rest,
    ...counts,
    ...countVersions(machines),
    selector: selectorText(deployment.spec.selector?.matchLabels),
    phase: phaseOf(claims),
    conditions: withConditions(deployment.status?.conditions, claims, deployment.metadata.generation, now),
    observedGeneration: deployment.metadata.generation,
  } as NonNullable<MachineDeployment['status']>;
};

/** UpToDate of a machine that a MachineDeployment or a control plane owns, from what is not; standalone machines have none. */
export const upToDateClaim = (outdated: readonly string[]): ConditionClaim =>
  outdated.length === 0
    ? { type: 'UpToDate', status: 'True', reason: 'UpToDate' }
    : {
        type: 'UpToDate',
        status: 'False',
        reason: 'NotUpToDate',
        message: outdated.map((line) => `* ${line}`).join('\n'),
      };

/** Whether all machines of a deployment are as wanted: nothing is left to be done for it. */
export const isDeploymentSettled = ({ spec, status }: MachineDeployment): boolean =>
  isTrue(status?.conditions, 'Available') && status?.replicas === (spec.replicas ?? 1);
