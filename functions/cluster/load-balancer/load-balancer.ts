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
import {
  BALANCER_ROLES,
  type BalancerRole,
  balancerRecordOf,
  balancerSpecOf,
} from '../../../shared/plan/load-balancer/roles.ts';
import { type LegacyClaim, withLegacyCondition } from '../../../shared/plan/status/legacy-conditions.ts';
import type { ClusterRef, ConvergeInput, ReadyResult } from '../../../shared/work/payloads.ts';
import { ensureBucket } from '../bucket/bucket.ts';
import { act } from '../infrastructure/act.ts';
import { noteReported, tellRepair } from '../infrastructure/note-drift.ts';
import { isComing, rememberingWhatIsWell } from '../infrastructure/remember.ts';
import { type InfrastructureScope, readLiveScope } from '../infrastructure/scope.ts';
import { settle } from '../infrastructure/settle.ts';
import { COMPONENT, type LoadBalancerDependencies } from './dependencies.ts';
import { type Balancing, lookAt, soughtOf } from './observe.ts';
import { elbActor } from './perform.ts';
import { registerMissing } from './register-missing.ts';
import { dropSecondary } from './take-down.ts';

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

const look = async (
  deps: LoadBalancerDependencies,
  ref: ClusterRef,
  role: BalancerRole,
  isAnew: (scope: LiveScope) => boolean,
): Promise<Look | undefined> => {
  const scope = await readLiveScope(deps, ref);
  if (!scope) return undefined;
  if (isAnew(scope)) deps.balancingMemory.forget(ref.uid);
  const { awsCluster, cluster, name } = scope;
  const apiServerPort = cluster.spec.clusterNetwork?.apiServerPort;
  const desired = desiredLoadBalancing({ cluster: name, clusterUid: ref.uid, awsCluster, apiServerPort }, role);
  if (!desired) return undefined;
  // Names are unique in a region: another run's creation needs no turn to be noticed.
  const elbv2 = (aws: LiveScope['aws']) => deps.balancingMemory.of(ref.uid, '', deps.elbv2(aws));
  const remembering = { ...deps, elbv2 };
  return { scope, desired, ...(await lookAt(remembering, scope, desired.type, soughtOf(desired))) };
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

const settleLoadBalancing = async (deps: LoadBalancerDependencies, ref: ClusterRef, role: BalancerRole) => {
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
        // What was copied from another cluster's object says that it was complete; its status does not come along.
        isFirst ||= !observed.loadBalancer && !balancerRecordOf(scope.awsCluster, role)?.dnsName;
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
  const settled = await rememberingWhatIsWell(deps.balancingMemory, ref.uid, run);
  return settled && { ...settled, drifts };
};

/** A name of the user's leads nowhere before he has led it to the load balancer, and nowhere again when that is a new one. */
const tellOfName = async (deps: LoadBalancerDependencies, { scope, desired, observed }: Look): Promise<void> => {
  const dnsName = observed.loadBalancer?.dnsName;
  const isKnown = dnsName === balancerRecordOf(scope.awsCluster, desired.role)?.dnsName;
  if (!desired.ownEndpoint || !dnsName || isKnown) return;
  const message = `Lead ${desired.ownEndpoint.host} to ${dnsName}: that is where the API's load balancer is reached`;
  const happening = { regarding: scope.awsCluster, type: 'Normal', reason: 'LeadEndpoint', message } as const;
  await recordEvent(deps.objects, { ...happening, component: COMPONENT }, deps.clock);
};

type SettledBalancing = NonNullable<Awaited<ReturnType<typeof settleLoadBalancing>>>;

/** What keeps a load balancer from being as it is asked for. */
const troublesOf = ({ situation, plan, failures }: SettledBalancing): string[] => {
  if (plan.problem) return [plan.problem.message];
  if (failures.length > 0) return failures.map(({ message }) => message);
  if (situation.observed.loadBalancer) return [];
  return [`load balancer ${situation.desired.name} does not exist any more, which is only reported`];
};

const reportTroubles = async (deps: LoadBalancerDependencies, scope: LiveScope, all: readonly SettledBalancing[]) => {
  const message = [...new Set(all.flatMap(troublesOf))].join('; ');
  // What AWS refused has its event.
  if (all.some(({ failures }) => failures.length > 0)) await write(deps, scope, failed(message));
  else await reportProblem(deps, scope, message);
  return { ready: false };
};

/** Registers what is missing. Returns what may only be reported. */
const registerAll = (deps: LoadBalancerDependencies, { situation }: SettledBalancing): Promise<Drift[]> => {
  const { scope, desired, observed } = situation;
  const { policies } = loadBalancerDriftFacts(desired, scope);
  const reportOnly = policies.Target === 'Report' && hadAllTargets(scope.awsCluster, desired, observed);
  return registerMissing(deps, situation, { reportOnly });
};

const noteAll = (
  deps: LoadBalancerDependencies,
  scope: LiveScope,
  all: readonly SettledBalancing[],
  leftOut: readonly Drift[],
): Promise<void> =>
  noteReported(deps, scope, 'loadBalancer', [...all.flatMap(({ drifts }) => drifts), ...leftOut], COMPONENT);

/** Writes the endpoint, and what was made. */
const record = (deps: LoadBalancerDependencies, scope: LiveScope, all: readonly SettledBalancing[]): Promise<void> =>
  write(deps, scope, { type: TYPE, status: 'True' }, (before) =>
    all.reduce((current, { situation: { desired, observed } }) => {
      const wishes = { ...loadBalancerWishes(desired), ...targetWishes(desired, observed) };
      return withSettled(withLoadBalancing(current, scope.name, desired, observed), wishes);
    }, before),
  );

/**
 * The DNS name of the first load balancer, where the user wants to wait for it and it leads nowhere yet. Looked up until
 * it is published: a resolver's weakness later on is no reason to stop a cluster that runs.
 */
const unknownName = async (
  { resolves }: LoadBalancerDependencies,
  { awsCluster }: LiveScope,
  all: readonly SettledBalancing[],
): Promise<string | undefined> => {
  if (awsCluster.spec.controlPlaneLoadBalancer?.dnsResolutionCheck !== 'Enabled') return undefined;
  const dnsName = all.find(({ situation }) => situation.desired.role === 'primary')?.situation.observed.loadBalancer
    ?.dnsName;
  if (!dnsName || balancerRecordOf(awsCluster, 'primary')?.dnsName === dnsName) return undefined;
  return (await resolves(dnsName)) ? undefined : dnsName;
};

const awaitName = async (deps: LoadBalancerDependencies, scope: LiveScope, name: string): Promise<ReadyResult> => {
  const message = `The DNS name ${name} of the load balancer does not resolve yet`;
  const reason = 'WaitForDNSNameResolve';
  await write(deps, scope, { type: TYPE, status: 'False', severity: 'Info', reason, message });
  return { ready: false };
};

const complete = async (
  deps: LoadBalancerDependencies,
  scope: LiveScope,
  all: readonly SettledBalancing[],
): Promise<ReadyResult> => {
  const leftOut = await Promise.all(all.map((one) => registerAll(deps, one)));
  await record(deps, scope, all);
  await Promise.all(all.map(({ situation }) => tellOfName(deps, situation)));
  await noteAll(deps, scope, all, leftOut.flat());
  return { ready: true };
};

/**
 * Makes the load balancers of the API, their target groups and listeners, or what is missing of them, and writes
 * the endpoint. Ready when they have a DNS name; they become active while the machines boot. Not ready: a
 * condition and an event say what a person has to change. Throws what passes by itself.
 */
export const loadBalancer =
  (deps: LoadBalancerDependencies) =>
  async ({ cluster: ref }: ConvergeInput): Promise<ReadyResult> => {
    const scope = await readLiveScope(deps, ref);
    if (!scope || !(await ensureBucket(deps, scope))) return { ready: false };
    const { awsCluster } = scope;
    const type = awsCluster.spec.controlPlaneLoadBalancer?.loadBalancerType;
    if (type === 'disabled') return awaitExternalEndpoint(deps, scope);
    if (type !== 'nlb' && type !== 'classic') {
      const field = 'spec.controlPlaneLoadBalancer.loadBalancerType';
      return reportProblem(deps, scope, `${field} ${type} is not made by this version: set it to nlb or classic`);
    }

    const roles = BALANCER_ROLES.filter((role) => balancerSpecOf(awsCluster, role) !== undefined);
    const settled = await Promise.all(roles.map((role) => settleLoadBalancing(deps, ref, role)));
    const all = settled.flatMap((one) => one ?? []);
    if (all.length < roles.length) return { ready: false };
    if (all.some((one) => troublesOf(one).length > 0)) {
      await noteAll(deps, scope, all, []);
      return reportTroubles(deps, scope, all);
    }
    await dropSecondary(deps, scope, ref.uid);
    const unknown = await unknownName(deps, scope, all);
    if (unknown) return awaitName(deps, scope, unknown);
    return complete(deps, scope, all);
  };
