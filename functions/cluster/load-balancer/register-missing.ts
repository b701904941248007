import type { Elbv2Writes } from '../../../shared/aws/elbv2.ts';
import type { ClusterName } from '../../../shared/aws/tags.ts';
import { recordEvent } from '../../../shared/events/record.ts';
import { type AWSMachine, kinds } from '../../../shared/kinds/index.ts';
import type { Drift } from '../../../shared/plan/drift/claims.ts';
import { membersAmong, missingTargets, targetDrift } from '../../../shared/plan/drift/targets.ts';
import type { ObservedLoadBalancing, ObservedTargetGroup } from '../../../shared/plan/load-balancer/model.ts';
import { COMPONENT, type LoadBalancerDependencies } from './dependencies.ts';

interface Situation {
  scope: { name: ClusterName };
  elb: Pick<Elbv2Writes, 'registerTarget'>;
  withTargets(): Promise<ObservedLoadBalancing>;
}

const register = async (
  deps: LoadBalancerDependencies,
  elb: Situation['elb'],
  group: ObservedTargetGroup,
  machine: AWSMachine,
): Promise<void> => {
  const id = machine.spec.instanceID ?? '';
  if (!(await elb.registerTarget(group, id))) return;
  const message = `Control plane instance ${id} was missing in target group ${group.name} and is registered again`;
  const reason = 'SuccessfulAttachControlPlaneELB';
  const happening = { regarding: machine, type: 'Normal', reason, message, component: COMPONENT } as const;
  await recordEvent(deps.objects, happening, deps.clock);
};

/**
 * Registers the control plane machines that a target group lacks, because the group was made again, a listener was added,
 * or somebody took them out. A machine on its way out stays out.
 * Where it may only report, the machines that are missing are returned.
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
  const wanted = missing.filter(({ machine }) => staying.includes(machine.metadata.name));
  if (reportOnly) return wanted.map((one) => targetDrift(one, 'Report'));
  await Promise.all(wanted.map(({ group, machine }) => register(deps, elb, group, machine)));
  return [];
};
