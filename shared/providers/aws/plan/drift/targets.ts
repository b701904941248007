import type { AWSMachine } from '../../../../kinds/index.ts';
import type { DriftPolicy } from '../../../../kinds/rules/drift-policy.ts';
import type { Drift } from '../../../../plan/drift/claims.ts';
import { LABEL } from '../../../../plan/labels.ts';
import type { ObservedLoadBalancing } from '../../load-balancer/model.ts';
import type { ObservedTargetGroup } from '../../load-balancer/target-groups/model.ts';
import { wasAttached } from '../launch/target.ts';

/** A control plane machine that is not registered with a target group. */
export interface MissingTarget {
  group: ObservedTargetGroup;
  machine: AWSMachine;
}

/** Whether its own execution has registered it and it is in use: a new machine is left to its execution. */
const isMember = (machine: AWSMachine): boolean =>
  machine.metadata.labels?.[LABEL.controlPlane] !== undefined &&
  machine.metadata.deletionTimestamp === undefined &&
  machine.spec.instanceID !== undefined &&
  machine.status?.instanceState === 'running' &&
  wasAttached(machine);

type Groups = Pick<ObservedLoadBalancing, 'targetGroups' | 'listeners'>;

/** The machines that must be registered with each target group in use. */
export const membersAmong = (machines: readonly AWSMachine[]): AWSMachine[] => machines.filter(isMember);

/** The target groups to which a listener forwards. */
export const servingGroups = ({ targetGroups, listeners }: Groups): ObservedTargetGroup[] =>
  targetGroups.filter(({ arn }) => listeners.some(({ targetGroupArn }) => targetGroupArn === arn));

/** The control plane machines that are not registered with a target group in use, if its targets are known. */
export const missingTargets = (groups: Groups, machines: readonly AWSMachine[]): MissingTarget[] =>
  servingGroups(groups).flatMap((group) =>
    membersAmong(machines)
      .filter(({ spec }) => group.targets?.includes(spec.instanceID ?? '') === false)
      .map((machine) => ({ group, machine })),
  );

export const targetDrift = ({ group, machine }: MissingTarget, policy: DriftPolicy): Drift => ({
  kind: 'Target',
  policy,
  message: `control plane instance ${machine.spec.instanceID} is not registered with target group ${group.name}`,
});
