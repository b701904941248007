import { TransientError } from '../../../../shared/errors.ts';
import { type AWSCluster, kinds } from '../../../../shared/kinds/index.ts';
import { loadBalancerName, targetGroupNames } from '../../../../shared/providers/aws/load-balancer/names.ts';
import { planLoadBalancingDeletion } from '../../../../shared/providers/aws/load-balancer/plan.ts';
import { recordedTargetGroupNames } from '../../../../shared/providers/aws/load-balancer/recorded.ts';
import {
  type BalancerRole,
  balancerRecordOf,
  balancerSpecOf,
  withBalancerRecord,
} from '../../../../shared/providers/aws/load-balancer/roles.ts';
import type { Sought } from '../../../../shared/providers/aws/load-balancer/target-groups/observe.ts';
import { API_SERVER_PORT } from '../../../../shared/providers/aws/network/security-groups/rules.ts';
import { act, failuresOf } from '../infrastructure/act.ts';
import type { InfrastructureScope } from '../infrastructure/scope.ts';
import type { LoadBalancerDependencies } from './dependencies.ts';
import { lookAt } from './look.ts';
import { elbActor } from './perform.ts';

/** Load balancer, target groups, and a final check; a few more rounds for what AWS releases late. */
const MAX_ROUNDS = 6;
const IDLE_MILLISECONDS = 1000;

/** Every name by which a target group can be found: from the naming rule, and from the status. */
const soughtOf = ({ name, awsCluster }: InfrastructureScope, clusterUid: string, role: BalancerRole): Sought => {
  const listeners = (awsCluster && balancerSpecOf(awsCluster, role)?.additionalListeners) ?? [];
  const group = (port: number, isApi: boolean) => ({
    names: targetGroupNames(clusterUid, port, isApi, role),
    prefix: '',
    port,
    ipType: 'ipv4' as const,
  });
  return {
    loadBalancer: loadBalancerName(name, awsCluster, role),
    groups: [group(API_SERVER_PORT, true), ...listeners.map(({ port }) => group(port, false))],
    recorded: recordedTargetGroupNames(awsCluster, role),
  };
};

/** `blocker`: the reason why something is left; undefined if nothing is. `wasThere`: whether anything existed. */
export interface TakenDown {
  blocker: string | undefined;
  wasThere: boolean;
}

/** Deletes a load balancer with its target groups. */
export const takeDown = async (
  deps: LoadBalancerDependencies,
  scope: InfrastructureScope,
  clusterUid: string,
  role: BalancerRole,
): Promise<TakenDown> => {
  const { awsCluster, cluster } = scope;
  const isClassic = awsCluster && balancerSpecOf(awsCluster, role)?.loadBalancerType === 'classic';
  const sought = soughtOf(scope, clusterUid, role);
  const known = new Set(sought.recorded);
  let refusals: string[] = [];
  for (let round = 0; round < MAX_ROUNDS; round += 1) {
    const looked = { ...sought, recorded: [...known] };
    const { elb, observed } = await lookAt(deps, scope, isClassic ? 'classic' : 'network', looked);
    // Once the load balancer is deleted, only these names show which target groups it had.
    for (const { name } of observed.targetGroups) known.add(name);
    const actions = planLoadBalancingDeletion(scope.name, observed);
    if (actions.length === 0) return { blocker: undefined, wasThere: round > 0 };
    if (refusals.length > 0) await deps.clock.sleep(IDLE_MILLISECONDS);
    const outcomes = await act(elbActor(deps, elb, awsCluster ?? cluster), actions);
    failuresOf(outcomes);
    refusals = outcomes.filter(({ verdict }) => verdict !== 'done').map(({ message }) => message);
  }
  return { blocker: refusals.join('; ') || 'Being deleted', wasThere: true };
};

/** If it were in the spec again, its name would be that of another load balancer. */
const withoutSecondary = (awsCluster: AWSCluster): AWSCluster => {
  const { secondaryControlPlaneLoadBalancer: _, ...spec } = awsCluster.spec;
  return { ...awsCluster, spec };
};

/**
 * Deletes a second load balancer that the spec no longer contains, or that it contains under another name; the new one
 * has to wait until the old one is gone. If nothing is found, the record of an intended load balancer stays, because it
 * may appear late. Throws TransientError if a load balancer has to wait.
 */
export const dropSecondary = async (
  deps: LoadBalancerDependencies,
  scope: InfrastructureScope,
  clusterUid: string,
): Promise<void> => {
  const { awsCluster, key } = scope;
  const record = balancerRecordOf(awsCluster, 'secondary');
  const wanted = awsCluster && balancerSpecOf(awsCluster, 'secondary');
  if (!awsCluster || !record || record.name === wanted?.name) return;
  const former = { ...scope, awsCluster: withoutSecondary(awsCluster) };
  const { blocker, wasThere } = await takeDown(deps, former, clusterUid, 'secondary');
  if (blocker !== undefined) {
    if (wanted) throw new TransientError(`load balancer ${record.name} has to be deleted first: ${blocker}`);
    return;
  }
  if (!wanted && !wasThere && record.dnsName === undefined) return;
  await deps.objects.mutate(kinds.awsCluster, key, (current) =>
    balancerRecordOf(current, 'secondary')?.name === record.name
      ? withBalancerRecord(current, 'secondary', undefined)
      : undefined,
  );
};
