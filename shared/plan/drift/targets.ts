import type { AWSMachine } from '../../kinds/index.ts';
import type { DriftPolicy } from '../../kinds/rules/drift-policy.ts';
import { LABEL } from '../labels.ts';
import type { ObservedLoadBalancing, ObservedTargetGroup } from '../load-balancer/model.ts';
import type { Drift } from './claims.ts';

/** A control plane machine that a target group lacks. */
export interface MissingTarget {
  group: ObservedTargetGroup;
  machine: AWSMachine;
}

/** It was registered once, by its own execution, and serves: a new machine is left to that execution. */
const isMember = ({ metadata, spec, status }: AWSMachine): boolean =>
  metadata.labels?.[LABEL.controlPlane] !== undefined &&
  metadata.deletionTimestamp === undefined &&
  spec.instanceID !== undefined &&
  status?.instanceState === 'running' &&
  status.conditions?.some(({ type, status: value }) => type === 'ELBAttached' && value === 'True') === true;

/** The control plane machines that are not registered with a target group that serves. */
export const missingTargets = (
  { targetGroups, listeners }: Pick<ObservedLoadBalancing, 'targetGroups' | 'listeners'>,
  machines: readonly AWSMachine[],
): MissingTarget[] => {
  const members = machines.filter(isMember);
  return targetGroups
    .filter(({ arn }) => listeners.some(({ targetGroupArn }) => targetGroupArn === arn))
    .flatMap((group) =>
      members
        .filter(({ spec }) => !group.targets.includes(spec.instanceID ?? ''))
        .map((machine) => ({ group, machine })),
    );
};

export const targetDrift = ({ group, machine }: MissingTarget, policy: DriftPolicy): Drift => ({
  kind: 'Target',
  policy,
  message: `control plane instance ${machine.spec.instanceID} is not registered with target group ${group.name}`,
});
