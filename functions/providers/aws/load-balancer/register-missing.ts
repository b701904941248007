import { describeAwsError, isPermanent } from '../../../../shared/aws/errors.ts';
import { type AWSMachine, kinds, type Machine } from '../../../../shared/kinds/index.ts';
import type { Drift } from '../../../../shared/plan/drift/claims.ts';
import { withLegacyCondition } from '../../../../shared/plan/status/legacy-conditions.ts';
import type { Elbv2Writes } from '../../../../shared/providers/aws/load-balancer/api.ts';
import type { ObservedLoadBalancing } from '../../../../shared/providers/aws/load-balancer/model.ts';
import type { ObservedTargetGroup } from '../../../../shared/providers/aws/load-balancer/target-groups/model.ts';
import {
  type MissingTarget,
  membersAmong,
  missingTargets,
  targetDrift,
} from '../../../../shared/providers/aws/plan/drift/targets.ts';
import { attachedClaim } from '../../../../shared/providers/aws/plan/launch/target.ts';
import { identityOf, isMachines } from '../../../../shared/providers/aws/plan/ownership/instance.ts';
import type { InfrastructureScope } from '../infrastructure/scope.ts';
import type { LoadBalancerDependencies } from './dependencies.ts';
import { recorder } from './reasons.ts';

interface Situation {
  scope: Pick<InfrastructureScope, 'name' | 'aws'>;
  elb: Pick<Elbv2Writes, 'registerTarget'>;
  withTargets(): Promise<ObservedLoadBalancing>;
}

/**
 * A refusal by AWS is reported on the machine, and does not keep other machines out. The machine counts as not
 * attached, so its own execution tries again, at increasing intervals.
 */
const reportRefusal = async (
  deps: LoadBalancerDependencies,
  group: ObservedTargetGroup,
  machine: AWSMachine,
  error: unknown,
): Promise<void> => {
  const { namespace = '', name, uid } = machine.metadata;
  const message = `Control plane instance ${machine.spec.instanceID} cannot be registered with target group ${group.name}: ${describeAwsError(error)}`;
  await recorder(deps).warning(machine, 'FailedAttachControlPlaneELB', message);
  await deps.objects.mutate(kinds.awsMachine, { namespace, name }, (current) =>
    current.metadata.uid === uid ? withLegacyCondition(current, attachedClaim(message), deps.clock.now()) : undefined,
  );
};

/** An instance that does not run is left to the check of its state. */
const register = async (
  deps: LoadBalancerDependencies,
  elb: Situation['elb'],
  group: ObservedTargetGroup,
  machine: AWSMachine,
): Promise<void> => {
  const id = machine.spec.instanceID ?? '';
  try {
    if (!(await elb.registerTarget(group, id))) return;
  } catch (error) {
    if (!isPermanent(error)) throw error;
    return reportRefusal(deps, group, machine, error);
  }
  const message = `Control plane instance ${id} was missing from target group ${group.name} and is registered again`;
  await recorder(deps).normal(machine, 'SuccessfulAttachControlPlaneELB', message);
};

/**
 * The machines that own their instances: an AWSMachine may name any instance. Costs one call if anything is missing.
 */
const withOwnInstances = async (
  { ownership }: LoadBalancerDependencies,
  { aws }: Situation['scope'],
  missing: readonly MissingTarget[],
  machines: readonly Machine[],
): Promise<MissingTarget[]> => {
  if (missing.length === 0) return [];
  const ids = new Set(missing.map(({ machine }) => machine.spec.instanceID ?? ''));
  const marks = await ownership(aws).instanceMarks([...ids]);
  return missing.filter(({ machine: { metadata, spec } }) => {
    const owner = machines.find((one) => one.metadata.name === metadata.name);
    const seen = marks.get(spec.instanceID ?? '');
    return owner && seen && isMachines(seen, identityOf(owner));
  });
};

/**
 * Registers the control plane machines that are missing in a target group, because the group was recreated, a listener
 * was added, or they were deregistered. Machines in deletion stay out. If the policy is to report, the missing machines
 * are returned.
 */
export const registerMissing = async (
  deps: LoadBalancerDependencies,
  { scope, elb, withTargets }: Situation,
  { reportOnly }: { reportOnly: boolean },
): Promise<Drift[]> => {
  const { namespace, name } = scope.name;
  const members = membersAmong(await deps.objects.listOfCluster(kinds.awsMachine, namespace, name));
  const missing = members.length > 0 ? missingTargets(await withTargets(), members) : [];
  if (missing.length === 0) return [];
  const machines = await deps.objects.listOfCluster(kinds.machine, namespace, name);
  const staying = machines.filter(({ metadata }) => !metadata.deletionTimestamp).map(({ metadata }) => metadata.name);
  const remaining = missing.filter(({ machine }) => staying.includes(machine.metadata.name));
  const wanted = await withOwnInstances(deps, scope, remaining, machines);
  if (reportOnly) return wanted.map((one) => targetDrift(one, 'Report'));
  await Promise.all(wanted.map(({ group, machine }) => register(deps, elb, group, machine)));
  return [];
};
