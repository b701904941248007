import type { BalancingGarbage } from '../../../shared/aws/balancing-garbage.ts';
import type { PerScope } from '../../../shared/aws/scope.ts';
import type { Clock } from '../../../shared/clock.ts';
import type { ObjectClient } from '../../../shared/kube-api/client.ts';
import { type GarbageAction, planGarbage } from '../../../shared/plan/garbage/plan.ts';
import { gcTasksOf } from '../../../shared/plan/garbage/tasks.ts';
import { type Actor, act, failuresOf } from '../infrastructure/act.ts';
import type { InfrastructureScope } from '../infrastructure/scope.ts';

export interface GarbageDependencies {
  objects: ObjectClient;
  clock: Clock;
  garbage: PerScope<BalancingGarbage>;
}

/** Load balancers, target groups, and a look at the end; what AWS lets go late is left to the next pass. */
const MAX_ROUNDS = 4;
const IDLE_MILLISECONDS = 1000;

const WORDS = {
  DeleteLoadBalancer: 'load balancer',
  DeleteClassicLoadBalancer: 'classic load balancer',
  DeleteTargetGroup: 'target group',
} as const;

const actorOf = (
  { objects, clock }: GarbageDependencies,
  garbage: BalancingGarbage,
  { awsCluster, cluster }: InfrastructureScope,
): Actor<GarbageAction> => ({
  perform: async (action) => {
    await garbage.delete(action);
    return `Deleted ${WORDS[action.type]} ${action.name}, which the cluster's controllers made`;
  },
  reasonOf: ({ type }) => type,
  component: 'cluster-load-balancer',
  regarding: awsCluster ?? cluster,
  objects,
  clock,
});

/**
 * Deletes the load balancers and target groups in the cluster's VPC that controllers in the cluster made, unless an
 * annotation keeps them. Returns what is in the way; empty: nothing is left.
 */
export const collectLoadBalancers = async (
  deps: GarbageDependencies,
  scope: InfrastructureScope,
): Promise<readonly string[]> => {
  const vpcId = scope.awsCluster?.spec.network?.vpc?.id;
  const tasks = gcTasksOf(scope.awsCluster);
  if (!vpcId || !tasks.some((task) => task !== 'security-group')) return [];
  const garbage = deps.garbage(scope.aws);
  let blockers: string[] = [];
  for (let round = 0; round < MAX_ROUNDS; round += 1) {
    const actions = planGarbage(scope.name, await garbage.describeIn(vpcId), tasks);
    if (actions.length === 0) return [];
    if (blockers.length > 0) await deps.clock.sleep(IDLE_MILLISECONDS);
    const outcomes = await act(actorOf(deps, garbage, scope), actions);
    failuresOf(outcomes);
    const late = outcomes.filter(({ verdict }) => verdict !== 'done');
    blockers = late.map(({ action, message }) => `${WORDS[action.type]} ${action.name}: ${message}`);
  }
  return blockers.length > 0 ? blockers : ['load balancers of Services are being deleted'];
};
