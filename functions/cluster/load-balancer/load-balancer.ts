import { recordEvent } from '../../../shared/events/record.ts';
import { type AWSCluster, kinds } from '../../../shared/kinds/index.ts';
import type { Drift } from '../../../shared/plan/drift/claims.ts';
import {
  hadAllTargets,
  loadBalancerDriftFacts,
  loadBalancerWishes,
  targetWishes,
} from '../../../shared/plan/drift/load-balancer.ts';
import { withSettled } from '../../../shared/plan/drift/settled.ts';
import { withholdDrift } from '../../../shared/plan/drift/withhold.ts';
import { desiredLoadBalancing } from '../../../shared/plan/load-balancer/desired.ts';
import type { DesiredLoadBalancing, LoadBalancerAction } from '../../../shared/plan/load-balancer/model.ts';
import type { LoadBalancerPlan } from '../../../shared/plan/load-balancer/parts.ts';
import { planLoadBalancing } from '../../../shared/plan/load-balancer/plan.ts';
import { withLoadBalancing, withReady } from '../../../shared/plan/load-balancer/record.ts';
import { type LegacyClaim, withLegacyCondition } from '../../../shared/plan/status/legacy-conditions.ts';
import type { ClusterRef, ConvergeInput, ReadyResult } from '../../../shared/work/payloads.ts';
import { ensureBucket } from '../bucket/bucket.ts';
import { act } from '../infrastructure/act.ts';
import { noteReported, tellRepair } from '../infrastructure/note-drift.ts';
import { type InfrastructureScope, readLiveScope } from '../infrastructure/scope.ts';
import { settle } from '../infrastructure/settle.ts';
import { COMPONENT, type LoadBalancerDependencies } from './dependencies.ts';
import { type Balancing, lookAt, type Sought } from './observe.ts';
import { elbActor } from './perform.ts';
import { registerMissing } from './register-missing.ts';

type LiveScope = InfrastructureScope & { awsCluster: AWSCluster };

interface Look extends Balancing {
  scope: LiveScope;
  desired: DesiredLoadBalancing;
}

const TYPE = 'LoadBalancerReady';

const failed = (message: string): LegacyClaim => ({
  type: TYPE,
  status: 'False',
  severity: 'Error',
  reason: 'LoadBalancerFailed',
  message,
});

const soughtOf = ({ name, listeners, recordedGroups }: DesiredLoadBalancing): Sought => ({
  loadBalancer: name,
  groups: listeners.map(({ targetGroup }) => targetGroup),
  recorded: recordedGroups,
});

const look = async (deps: LoadBalancerDependencies, ref: ClusterRef): Promise<Look | undefined> => {
  const scope = await readLiveScope(deps, ref);
  if (!scope) return undefined;
  const { awsCluster, cluster, name } = scope;
  const apiServerPort = cluster.spec.clusterNetwork?.apiServerPort;
  const desired = desiredLoadBalancing({ cluster: name, clusterUid: ref.uid, awsCluster, apiServerPort });
  if (!desired) return undefined;
  return { scope, desired, ...(await lookAt(deps, scope, desired.type, soughtOf(desired))) };
};

const write = async (
  { objects, clock }: LoadBalancerDependencies,
  { key }: LiveScope,
  claim: LegacyClaim,
  change: (awsCluster: AWSCluster) => AWSCluster = (awsCluster) => awsCluster,
) => {
  await objects.mutate(kinds.awsCluster, key, (current) =>
    current.metadata.deletionTimestamp
      ? undefined
      : withReady(withLegacyCondition(change(current), claim, clock.now())),
  );
};

const reportProblem = async (deps: LoadBalancerDependencies, scope: LiveScope, message: string) => {
  await write(deps, scope, failed(message));
  const happening = { regarding: scope.awsCluster, type: 'Warning', reason: 'LoadBalancerFailed', message } as const;
  await recordEvent(deps.objects, { ...happening, component: COMPONENT }, deps.clock);
  return { ready: false };
};

/** No load balancer of ours: the endpoint is the user's. */
const awaitExternalEndpoint = async (deps: LoadBalancerDependencies, scope: LiveScope): Promise<ReadyResult> => {
  const { host, port } = scope.awsCluster.spec.controlPlaneEndpoint ?? {};
  if (host && port) {
    await write(deps, scope, { type: TYPE, status: 'True' });
    return { ready: true };
  }
  const message = 'spec.controlPlaneLoadBalancer.loadBalancerType is disabled: set spec.controlPlaneEndpoint';
  const reason = 'WaitForExternalControlPlaneEndpoint';
  await write(deps, scope, { type: TYPE, status: 'False', severity: 'Info', reason, message });
  return { ready: false };
};

const settleLoadBalancing = async (deps: LoadBalancerDependencies, ref: ClusterRef) => {
  let drifts: readonly Drift[] = [];
  let isFirst = false;
  const settled = await settle<Look, LoadBalancerAction, LoadBalancerPlan>({
    look: () => look(deps, ref),
    plan: ({ scope, desired, observed }) => {
      const plan = planLoadBalancing(scope.name, desired, observed);
      // What was copied from another cluster's object says that it was complete; its status does not come along.
      isFirst ||= !observed.loadBalancer && !scope.awsCluster.status?.networkStatus?.apiServerElb?.dnsName;
      if (isFirst) return plan;
      const withheld = withholdDrift(plan, loadBalancerDriftFacts(desired, scope));
      drifts = withheld.drifts;
      return withheld.plan;
    },
    act: async ({ scope, elb }, { actions }) => {
      await tellRepair(deps, scope.awsCluster, drifts, COMPONENT);
      return act(elbActor(deps, elb, scope.awsCluster), actions);
    },
    clock: deps.clock,
  });
  return settled && { ...settled, drifts };
};

/** A name of the user's leads nowhere before he has led it to the load balancer, and nowhere again when that is a new one. */
const tellOfName = async (deps: LoadBalancerDependencies, { scope, desired, observed }: Look): Promise<void> => {
  const dnsName = observed.loadBalancer?.dnsName;
  const isKnown = dnsName === scope.awsCluster.status?.networkStatus?.apiServerElb?.dnsName;
  if (!desired.ownEndpoint || !dnsName || isKnown) return;
  const message = `Lead ${desired.ownEndpoint.host} to ${dnsName}: that is where the API's load balancer is reached`;
  const happening = { regarding: scope.awsCluster, type: 'Normal', reason: 'LeadEndpoint', message } as const;
  await recordEvent(deps.objects, { ...happening, component: COMPONENT }, deps.clock);
};

/** Registers what is missing, and writes the endpoint and what others have changed. */
const complete = async (
  deps: LoadBalancerDependencies,
  situation: Look,
  drifts: readonly Drift[],
): Promise<ReadyResult> => {
  const { scope, desired, observed } = situation;
  const { policies } = loadBalancerDriftFacts(desired, scope);
  const leftOut = await registerMissing(deps, situation, {
    reportOnly: policies.Target === 'Report' && hadAllTargets(scope.awsCluster, observed),
  });
  await write(deps, scope, { type: TYPE, status: 'True' }, (current) =>
    withSettled(withLoadBalancing(current, scope.name, desired, observed), {
      ...loadBalancerWishes(desired),
      ...targetWishes(observed),
    }),
  );
  await tellOfName(deps, situation);
  await noteReported(deps, scope, 'loadBalancer', [...drifts, ...leftOut], COMPONENT);
  return { ready: true };
};

/**
 * Makes the load balancer of the API, its target groups and listeners, or what is missing of them, and writes
 * the endpoint. Ready when the load balancer has a DNS name; it becomes active while the machines boot. Not ready: a
 * condition and an event say what a person has to change. Throws what passes by itself.
 */
export const loadBalancer =
  (deps: LoadBalancerDependencies) =>
  async ({ cluster: ref }: ConvergeInput): Promise<ReadyResult> => {
    const scope = await readLiveScope(deps, ref);
    if (!scope || !(await ensureBucket(deps, scope))) return { ready: false };
    const type = scope.awsCluster.spec.controlPlaneLoadBalancer?.loadBalancerType;
    if (type === 'disabled') return awaitExternalEndpoint(deps, scope);
    if (type !== 'nlb' && type !== 'classic') {
      const field = 'spec.controlPlaneLoadBalancer.loadBalancerType';
      return reportProblem(deps, scope, `${field} ${type} is not made by this version: set it to nlb or classic`);
    }

    const settled = await settleLoadBalancing(deps, ref);
    if (!settled) return { ready: false };
    const { situation, plan, failures, drifts } = settled;
    if (plan.problem) return reportProblem(deps, situation.scope, plan.problem.message);
    if (failures.length > 0) {
      await write(deps, situation.scope, failed([...new Set(failures.map(({ message }) => message))].join('; ')));
      return { ready: false };
    }
    if (!situation.observed.loadBalancer) {
      await noteReported(deps, situation.scope, 'loadBalancer', drifts, COMPONENT);
      const message = `load balancer ${situation.desired.name} does not exist any more, which is only reported`;
      return reportProblem(deps, situation.scope, message);
    }
    return complete(deps, situation, drifts);
  };
