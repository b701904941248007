import type { Drift } from '../../../../shared/plan/drift/claims.ts';
import { withLoadBalancing } from '../../../../shared/providers/aws/load-balancer/record.ts';
import {
  BALANCER_ROLES,
  balancerRecordOf,
  balancerSpecOf,
} from '../../../../shared/providers/aws/load-balancer/roles.ts';
import {
  hadAllTargets,
  loadBalancerDriftFacts,
  loadBalancerWishes,
  targetWishes,
} from '../../../../shared/providers/aws/plan/drift/load-balancer.ts';
import { withSettled } from '../../../../shared/providers/aws/plan/drift/settled.ts';
import type { ConvergeInput, ReadyResult } from '../../../../shared/work/payloads.ts';
import { ensureBucket } from '../bucket/bucket.ts';
import { noteReported } from '../infrastructure/note-drift.ts';
import { isProvidedAsItIs, type LiveScope, readLiveScope } from '../infrastructure/scope.ts';
import type { LoadBalancerDependencies } from './dependencies.ts';
import { foreignGroups } from './foreign-groups.ts';
import { recorder } from './reasons.ts';
import { registerMissing } from './register-missing.ts';
import { awaitExternalEndpoint, awaitName, failed, recordNewName, reportProblem, TYPE, write } from './report.ts';
import { type SettledBalancing, settleLoadBalancing } from './settle-balancing.ts';
import { dropSecondary } from './take-down.ts';

/** What prevents the desired state of a load balancer. */
const troublesOf = ({ situation, plan, failures }: SettledBalancing): string[] => {
  if (plan.problem) return [plan.problem.message];
  if (failures.length > 0) return failures.map(({ message }) => message);
  if (situation.observed.loadBalancer) return [];
  return [`load balancer ${situation.desired.name} does not exist any more; this is only reported`];
};

const reportTroubles = async (deps: LoadBalancerDependencies, scope: LiveScope, all: readonly SettledBalancing[]) => {
  const message = [...new Set(all.flatMap(troublesOf))].join('; ');
  // Refusals by AWS have their own events.
  if (all.some(({ failures }) => failures.length > 0)) await write(deps, scope, failed(message));
  else await reportProblem(deps, scope, message);
  return { ready: false };
};

/** Registers missing targets. Returns those that the policy only allows to report. */
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
  noteReported(deps, scope, 'loadBalancer', [...all.flatMap(({ drifts }) => drifts), ...leftOut], recorder(deps));

/** Writes the endpoint, and the resources that were created. */
const record = (deps: LoadBalancerDependencies, scope: LiveScope, all: readonly SettledBalancing[]): Promise<void> =>
  write(deps, scope, { type: TYPE, status: 'True' }, (before) =>
    all.reduce((current, { situation: { desired, observed } }) => {
      const wishes = { ...loadBalancerWishes(desired), ...targetWishes(desired, observed) };
      return withSettled(withLoadBalancing(current, scope.name, desired, observed), wishes);
    }, before),
  );

/**
 * The DNS name of the first load balancer, if the user wants to wait for it and it does not resolve yet. It is looked
 * up only until it is published: a later failure of a resolver must not stop a running cluster.
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

const complete = async (
  deps: LoadBalancerDependencies,
  scope: LiveScope,
  all: readonly SettledBalancing[],
): Promise<ReadyResult> => {
  const leftOut = await Promise.all(all.map((one) => registerAll(deps, one)));
  await record(deps, scope, all);
  await Promise.all(all.map(({ situation }) => recordNewName(deps, situation)));
  await noteAll(deps, scope, all, leftOut.flat());
  return { ready: true };
};

const typeProblem = (type: string | undefined): string | undefined => {
  if (type === 'nlb' || type === 'classic') return undefined;
  const field = 'spec.controlPlaneLoadBalancer.loadBalancerType';
  return `${field} ${type} is not supported by this version: set it to nlb or classic`;
};

/**
 * Creates the load balancers of the API with their target groups and listeners, or the missing ones, and writes the
 * endpoint. Ready when they have a DNS name; they become active while the machines boot. If not ready, a condition and
 * an event say what a user must change. Throws temporary errors.
 */
export const loadBalancer =
  (deps: LoadBalancerDependencies) =>
  async ({ cluster: ref }: ConvergeInput): Promise<ReadyResult> => {
    const scope = await readLiveScope(deps, ref);
    if (!scope) return { ready: await isProvidedAsItIs(deps, ref) };
    if (!(await ensureBucket(deps, scope))) return { ready: false };
    const { awsCluster } = scope;
    const type = awsCluster.spec.controlPlaneLoadBalancer?.loadBalancerType;
    if (type === 'disabled') return awaitExternalEndpoint(deps, scope);
    const roles = BALANCER_ROLES.filter((role) => balancerSpecOf(awsCluster, role) !== undefined);
    const problem = typeProblem(type) ?? (await foreignGroups(deps, scope, roles));
    if (problem) return reportProblem(deps, scope, problem);

    await dropSecondary(deps, scope, ref.uid);
    const settled = await Promise.all(roles.map((role) => settleLoadBalancing(deps, ref, role)));
    const all = settled.flatMap((one) => one ?? []);
    if (all.length < roles.length) return { ready: false };
    if (all.some((one) => troublesOf(one).length > 0)) {
      await noteAll(deps, scope, all, []);
      return reportTroubles(deps, scope, all);
    }
    const unknown = await unknownName(deps, scope, all);
    if (unknown) return awaitName(deps, scope, unknown);
    return complete(deps, scope, all);
  };
