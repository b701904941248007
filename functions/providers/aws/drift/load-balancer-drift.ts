import type { AWSMachine, Cluster } from '../../../../shared/kinds/index.ts';
import { type Drift, PART_DRIFTED } from '../../../../shared/plan/drift/claims.ts';
import { findCondition } from '../../../../shared/plan/status/conditions.ts';
import type { Elbv2Reads } from '../../../../shared/providers/aws/load-balancer/api.ts';
import { desiredLoadBalancing } from '../../../../shared/providers/aws/load-balancer/desired.ts';
import type { DesiredLoadBalancing } from '../../../../shared/providers/aws/load-balancer/desired-balancing.ts';
import type { ObservedLoadBalancing } from '../../../../shared/providers/aws/load-balancer/model.ts';
import { observeLoadBalancing, withTargets } from '../../../../shared/providers/aws/load-balancer/observe.ts';
import { planLoadBalancing } from '../../../../shared/providers/aws/load-balancer/plan.ts';
import { BALANCER_ROLES, balancerSpecOf } from '../../../../shared/providers/aws/load-balancer/roles.ts';
import { soughtOf } from '../../../../shared/providers/aws/load-balancer/target-groups/observe.ts';
import { type Attention, attentionFor } from '../../../../shared/providers/aws/plan/drift/attention.ts';
import { hadAllTargets, loadBalancerDriftFacts } from '../../../../shared/providers/aws/plan/drift/load-balancer.ts';
import { missingTargets, targetDrift } from '../../../../shared/providers/aws/plan/drift/targets.ts';
import { withholdDrift } from '../../../../shared/providers/aws/plan/drift/withhold.ts';
import type { Bulkheads } from '../../../bulkheads.ts';
import { type AwsFleet, isLooked, type PlacedAwsCluster } from './accounts.ts';
import type { AwsSweepDependencies, BalancingView } from './dependencies.ts';
import { assuming, withListing } from './listed-balancing.ts';

/** A cluster with its desired load balancer. */
interface Balanced {
  at: PlacedAwsCluster;
  desired: DesiredLoadBalancing;
}

const nameOf = ({ cluster: { metadata } }: PlacedAwsCluster) => ({
  namespace: metadata.namespace ?? '',
  name: metadata.name,
});

const balancedOf = (at: PlacedAwsCluster): Balanced[] => {
  const { cluster, awsCluster } = at;
  const apiServerPort = cluster.spec.clusterNetwork?.apiServerPort;
  const input = { cluster: nameOf(at), clusterUid: cluster.metadata.uid ?? '', awsCluster, apiServerPort };
  const roles = BALANCER_ROLES.filter((role) => balancerSpecOf(awsCluster, role) !== undefined);
  return roles.flatMap((role) => desiredLoadBalancing(input, role) ?? []).map((desired) => ({ at, desired }));
};

interface Seen {
  drifts: Drift[];
  targets: Drift[];
  problem: string | undefined;
}

const compare = ({ at, desired }: Balanced, observed: ObservedLoadBalancing, members: readonly AWSMachine[]): Seen => {
  const { policies, ...facts } = loadBalancerDriftFacts(desired, at);
  const plan = planLoadBalancing(nameOf(at), desired, observed);
  const { plan: allowed, drifts } = withholdDrift(plan, { policies, ...facts });
  const isReported = policies.Target === 'Report' && hadAllTargets(at.awsCluster, desired, observed);
  const missing = missingTargets(observed, members);
  const targets = missing.map((one) => targetDrift(one, isReported ? 'Report' : 'Repair'));
  return { drifts, targets, problem: allowed.problem?.message };
};

/** The combined result of all load balancers of a cluster, in the order in which a pass reports it. */
const judge = (at: PlacedAwsCluster, seen: readonly Seen[]): Attention => {
  const problems = seen.flatMap(({ problem }) => problem ?? []);
  return attentionFor(at, {
    type: PART_DRIFTED.loadBalancer,
    drifts: [...seen.flatMap(({ drifts }) => drifts), ...seen.flatMap(({ targets }) => targets)],
    ...(problems.length > 0 ? { problem: { condition: 'LoadBalancerReady', message: problems.join('; ') } } : {}),
  });
};

/** The machines of each cluster that are not being deleted, by the cluster's uid. */
const membersIn = ({ machines }: AwsFleet) => {
  const staying = machines.filter(({ machine }) => !machine.metadata.deletionTimestamp);
  const byCluster = Map.groupBy(staying, ({ cluster }) => cluster.metadata.uid);
  return ({ cluster: { metadata } }: PlacedAwsCluster): AWSMachine[] =>
    (byCluster.get(metadata.uid) ?? []).map(({ infrastructure }) => infrastructure);
};

/** Two ways to read the load balancers of a generation: from the pages, and in detail. */
interface Looks {
  seemsFine(one: Balanced): Promise<boolean>;
  observe(one: Balanced): Promise<ObservedLoadBalancing>;
}

const openLooks = async (
  port: BalancingView,
  balanced: readonly Balanced[],
): Promise<Record<DesiredLoadBalancing['type'], Looks>> => {
  const has = (type: DesiredLoadBalancing['type']) => balanced.some(({ desired }) => desired.type === type);
  const [listing, classicNames] = await Promise.all([
    has('network') ? port.list() : { loadBalancers: [], targetGroups: [] },
    has('classic') ? port.listClassicNames() : new Set<string>(),
  ]);
  const reads = withListing(port, listing);
  const observe = (view: Elbv2Reads, { at, desired }: Balanced) =>
    observeLoadBalancing(view, nameOf(at), soughtOf(desired));
  const seemsFine = async (one: Balanced): Promise<boolean> => {
    const seen = compare(one, await observe(assuming(reads, one.desired), one), []);
    return seen.drifts.length === 0 && seen.problem === undefined;
  };
  return {
    network: { seemsFine, observe: async (one) => withTargets(reads, await observe(reads, one)) },
    classic: {
      seemsFine: async ({ desired }) => classicNames.has(desired.name),
      observe: ({ desired }) => port.observeClassic(desired.name),
    },
  };
};

const hasReported = ({ cluster }: PlacedAwsCluster): boolean =>
  findCondition(cluster.status?.conditions, PART_DRIFTED.loadBalancer)?.status === 'True';

/**
 * The clusters of a fleet whose load balancers were changed outside Windlass. Load balancers and target groups are read
 * in pages. Their attachments are read only for `turn`, and if the pages show a difference or a difference is on
 * record. Throws ELBv2's errors.
 */
export const loadBalancerDrift = async (
  deps: Pick<AwsSweepDependencies, 'balancing'>,
  fleet: AwsFleet,
  turn: ReadonlySet<string>,
  run: Bulkheads,
): Promise<Cluster[]> => {
  const looked = fleet.clusters.filter((at) => isLooked(at, 'loadBalancer'));
  const clusters = await run.each('plan its load balancer', looked, (at) => ({
    ...at,
    at,
    balanced: balancedOf(at),
  }));
  if (clusters.length === 0) return [];
  const looks = await openLooks(
    deps.balancing(fleet.scope),
    clusters.flatMap(({ balanced }) => balanced),
  );
  const membersOf = membersIn(fleet);
  const found = await run.each('compare its load balancer', clusters, async ({ at, balanced }) => {
    const fine = await Promise.all(balanced.map((one) => looks[one.desired.type].seemsFine(one)));
    if (!turn.has(at.cluster.metadata.uid ?? '') && !hasReported(at) && !fine.includes(false)) return [];
    const members = membersOf(at);
    const seen = balanced.map(async (one) => compare(one, await looks[one.desired.type].observe(one), members));
    return judge(at, await Promise.all(seen)) === 'nothing' ? [] : [at.cluster];
  });
  return found.flat();
};
