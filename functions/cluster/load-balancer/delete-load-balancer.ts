import { kinds } from '../../../shared/kinds/index.ts';
import { isClassic, loadBalancerName, targetGroupNames } from '../../../shared/plan/load-balancer/names.ts';
import { planLoadBalancingDeletion } from '../../../shared/plan/load-balancer/plan.ts';
import { recordedTargetGroupNames } from '../../../shared/plan/load-balancer/recorded.ts';
import { API_SERVER_PORT } from '../../../shared/plan/network/rules.ts';
import { withLegacyCondition } from '../../../shared/plan/status/legacy-conditions.ts';
import type { ConvergeInput, DoneResult } from '../../../shared/work/payloads.ts';
import { deleteBucket } from '../bucket/delete-bucket.ts';
import { collectLoadBalancers } from '../garbage/load-balancers.ts';
import { act, failuresOf } from '../infrastructure/act.ts';
import { type InfrastructureScope, readScope } from '../infrastructure/scope.ts';
import type { LoadBalancerDependencies } from './dependencies.ts';
import { lookAt, type Sought } from './observe.ts';
import { elbActor } from './perform.ts';

/** Load balancer, target groups, and a look at the end; a few more for what AWS lets go late. */
const MAX_ROUNDS = 6;
const IDLE_MILLISECONDS = 1000;

/** Every name under which a target group of the cluster can be found: by rule, and by what the status says. */
const soughtOf = ({ name, awsCluster }: InfrastructureScope, clusterUid: string): Sought => {
  const listeners = awsCluster?.spec.controlPlaneLoadBalancer?.additionalListeners ?? [];
  const group = (port: number, isApi: boolean) => ({
    names: targetGroupNames(clusterUid, port, isApi),
    prefix: '',
    port,
    ipType: 'ipv4' as const,
  });
  return {
    loadBalancer: loadBalancerName(name, awsCluster),
    groups: [group(API_SERVER_PORT, true), ...listeners.map(({ port }) => group(port, false))],
    recorded: recordedTargetGroupNames(awsCluster),
  };
};

const report = async (
  { objects, clock }: LoadBalancerDependencies,
  { key }: InfrastructureScope,
  reason: 'Deleting' | 'Deleted',
  message: string,
) => {
  const claim = { type: 'LoadBalancerReady', status: 'False', severity: 'Info', reason, message } as const;
  await objects.mutate(kinds.awsCluster, key, (current) => withLegacyCondition(current, claim, clock.now()));
};

/** What controllers in the cluster made goes after our own, for it may stand in the way of the network. */
const finish = async (deps: LoadBalancerDependencies, scope: InfrastructureScope): Promise<DoneResult> => {
  const blockers = await collectLoadBalancers(deps, scope);
  if (blockers.length === 0) await report(deps, scope, 'Deleted', 'Deleted');
  else await report(deps, scope, 'Deleting', blockers.join('; '));
  return { done: blockers.length === 0 };
};

/** One load balancer that is to go, with its target groups. */
interface Leaving {
  type: 'network' | 'classic';
  sought: Sought;
}

const leavingOf = (scope: InfrastructureScope, clusterUid: string): Leaving => ({
  type: scope.awsCluster && isClassic(scope.awsCluster) ? 'classic' : 'network',
  sought: soughtOf(scope, clusterUid),
});

/** Returns what is in the way; undefined: nothing is left. */
const takeDown = async (
  deps: LoadBalancerDependencies,
  scope: InfrastructureScope,
  { type, sought }: Leaving,
): Promise<string | undefined> => {
  const known = new Set(sought.recorded);
  let refusals: string[] = [];
  for (let round = 0; round < MAX_ROUNDS; round += 1) {
    const { elb, observed } = await lookAt(deps, scope, type, { ...sought, recorded: [...known] });
    // Once the load balancer is gone, only their names tell which target groups were behind it.
    for (const { name } of observed.targetGroups) known.add(name);
    const actions = planLoadBalancingDeletion(scope.name, observed);
    if (actions.length === 0) return undefined;
    if (refusals.length > 0) await deps.clock.sleep(IDLE_MILLISECONDS);
    const outcomes = await act(elbActor(deps, elb, scope.awsCluster ?? scope.cluster), actions);
    failuresOf(outcomes);
    refusals = outcomes.filter(({ verdict }) => verdict !== 'done').map(({ message }) => message);
  }
  return refusals.join('; ') || 'Being deleted';
};

/**
 * Deletes the API's load balancer with its listeners and target groups, also where only some of them exist. Not done:
 * AWS holds on to something, which the condition names. Throws an Error for a cluster that is not being deleted.
 */
export const deleteLoadBalancer =
  (deps: LoadBalancerDependencies) =>
  async ({ cluster: ref }: ConvergeInput): Promise<DoneResult> => {
    const scope = await readScope(deps, ref);
    if (!scope) return { done: true };
    if (!scope.cluster.metadata.deletionTimestamp) {
      throw new Error(`Cluster ${ref.namespace}/${ref.name} is not being deleted: its load balancer stays`);
    }
    await deleteBucket(deps, scope);
    const blocker = await takeDown(deps, scope, leavingOf(scope, ref.uid));
    if (blocker === undefined) return finish(deps, scope);
    await report(deps, scope, 'Deleting', blocker);
    return { done: false };
  };
