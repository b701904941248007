import { TransientError } from '../../../../shared/errors.ts';
import { type AWSCluster, kinds } from '../../../../shared/kinds/index.ts';
import type { Drift } from '../../../../shared/plan/drift/claims.ts';
import { desiredLoadBalancing } from '../../../../shared/providers/aws/load-balancer/desired.ts';
import type { DesiredLoadBalancing } from '../../../../shared/providers/aws/load-balancer/desired-balancing.ts';
import { withIntended } from '../../../../shared/providers/aws/load-balancer/intended.ts';
import type { LoadBalancerAction } from '../../../../shared/providers/aws/load-balancer/model.ts';
import type { LoadBalancerPlan } from '../../../../shared/providers/aws/load-balancer/parts.ts';
import { planLoadBalancing } from '../../../../shared/providers/aws/load-balancer/plan.ts';
import {
  type BalancerRole,
  balancerRecordOf,
  balancerSpecOf,
} from '../../../../shared/providers/aws/load-balancer/roles.ts';
import { soughtOf } from '../../../../shared/providers/aws/load-balancer/target-groups/observe.ts';
import { loadBalancerDriftFacts } from '../../../../shared/providers/aws/plan/drift/load-balancer.ts';
import { withholdDrift } from '../../../../shared/providers/aws/plan/drift/withhold.ts';
import type { ClusterRef } from '../../../../shared/work/payloads.ts';
import { act } from '../infrastructure/act.ts';
import { recordRepair } from '../infrastructure/note-drift.ts';
import { isComing, rememberingWhatIsWell } from '../infrastructure/remember.ts';
import { type LiveScope, readLiveScope } from '../infrastructure/scope.ts';
import { settle } from '../infrastructure/settle.ts';
import { takeAddresses } from './addresses.ts';
import type { LoadBalancerDependencies } from './dependencies.ts';
import { type Balancing, lookAt } from './look.ts';
import { elbActor } from './perform.ts';
import { recorder } from './reasons.ts';

/** The observed and the desired state of a load balancer. */
export interface Look extends Balancing {
  scope: LiveScope;
  desired: DesiredLoadBalancing;
}

const look = async (
  deps: LoadBalancerDependencies,
  ref: ClusterRef,
  role: BalancerRole,
  isAnew: (scope: LiveScope) => boolean,
): Promise<Look | undefined> => {
  const scope = await readLiveScope(deps, ref);
  if (!scope) return undefined;
  if (isAnew(scope)) deps.balancingCache.forget(ref.uid);
  const { awsCluster, cluster, name } = scope;
  const apiServerPort = cluster.spec.clusterNetwork?.apiServerPort;
  const desired = desiredLoadBalancing({ cluster: name, clusterUid: ref.uid, awsCluster, apiServerPort }, role);
  if (!desired) return undefined;
  // Names are unique in a region, so a creation by another run is noticed in any case.
  const elbv2 = (aws: LiveScope['aws']) => deps.balancingCache.of(ref.uid, '', deps.elbv2(aws));
  const remembering = { ...deps, elbv2 };
  return { scope, desired, ...(await lookAt(remembering, scope, desired.type, soughtOf(desired))) };
};

/**
 * Recorded before anything is created. Throws TransientError if the load balancer was removed from the spec in the
 * meantime.
 */
const recordIntended = async (
  { objects }: LoadBalancerDependencies,
  { awsCluster, key }: LiveScope,
  desired: DesiredLoadBalancing,
  actions: readonly LoadBalancerAction[],
): Promise<void> => {
  if (withIntended(awsCluster, desired, actions) === awsCluster) return;
  const isWanted = (current: AWSCluster) => balancerSpecOf(current, desired.role) !== undefined;
  const now = await objects.mutate(kinds.awsCluster, key, (current) =>
    isWanted(current) ? withIntended(current, desired, actions) : undefined,
  );
  if (!now || !isWanted(now)) throw new TransientError(`load balancer ${desired.name} is no longer in the spec`);
};

/**
 * Applies the desired state of a load balancer, as far as the drift policies allow. Undefined if it should no longer
 * exist. `drifts`: outside changes, corrected or not.
 */
export const settleLoadBalancing = async (deps: LoadBalancerDependencies, ref: ClusterRef, role: BalancerRole) => {
  let drifts: readonly Drift[] = [];
  let isFirst = false;
  let looks = 0;
  const run = () =>
    settle<Look, LoadBalancerAction, LoadBalancerPlan>({
      look: (isIdle) => {
        looks += 1;
        const isStart = looks === 1;
        return look(deps, ref, role, ({ cluster }) => isIdle || (isStart && !isComing(cluster)));
      },
      plan: ({ scope, desired, observed }) => {
        const plan = planLoadBalancing(scope.name, desired, observed);
        // An object that was copied from another cluster may claim to have been complete, but its status is not copied.
        isFirst ||= !observed.loadBalancer && !balancerRecordOf(scope.awsCluster, role)?.dnsName;
        if (isFirst) return plan;
        const withheld = withholdDrift(plan, loadBalancerDriftFacts(desired, scope));
        drifts = withheld.drifts;
        return withheld.plan;
      },
      act: async ({ scope, elb, desired: wanted }, { actions }) => {
        await recordIntended(deps, scope, wanted, actions);
        await recordRepair(recorder(deps), scope.awsCluster, drifts);
        const addresses = (desired: DesiredLoadBalancing) => takeAddresses(deps, scope, desired);
        return act(elbActor(deps, elb, scope.awsCluster, addresses), actions);
      },
      clock: deps.clock,
    });
  const settled = await rememberingWhatIsWell(deps.balancingCache, ref.uid, run);
  return settled && { ...settled, drifts };
};

export type SettledBalancing = NonNullable<Awaited<ReturnType<typeof settleLoadBalancing>>>;
