import { describeAwsError, isAlreadyExists, isNotFound } from '../../../../shared/aws/errors.ts';
import type { AWSCluster } from '../../../../shared/kinds/index.ts';
import type { Retry } from '../../../../shared/plan/duties/retry.ts';
import { inVpcs } from '../../../../shared/providers/aws/network/filters.ts';
import type { ObservedRouteTable } from '../../../../shared/providers/aws/network/route-tables/model.ts';
import { instanceIdIn } from '../../../../shared/providers/aws/plan/launch/instance.ts';
import { isClustersInstance } from '../../../../shared/providers/aws/plan/ownership/instance.ts';
import type { PlannedRoute, RouteRemoval } from '../../../../shared/providers/aws/routes/model.ts';
import { planRoutes, type RouteFacts } from '../../../../shared/providers/aws/routes/plan.ts';
import { type ClusterName, isOwnedBy, OWNER_TAG, type Tags } from '../../../../shared/providers/aws/tags.ts';
import { mapConcurrently } from '../../../../shared/store/concurrency.ts';
import { NoRouteTableError, type RoutePort, type RoutesResult, type RouteWork } from '../../ports.ts';
import type { RouteCalls, RouteDependencies } from './dependencies.ts';

const AT_ONCE = 5;

/** The most changes in one pass, which has a minute for everything. */
const MOST_CHANGES = 200;

/** Upstream's tag alone contains no namespace, and the author of the cluster chooses the VPC. */
const isOfCluster = (cluster: ClusterName, tags: Tags): boolean =>
  isOwnedBy(cluster, tags) && tags[OWNER_TAG] === `${cluster.namespace}/${cluster.name}`;

/**
 * The route tables that Windlass has created for the cluster. The VPC's own tables are left alone, because other
 * clusters' subnets may use them.
 */
const tablesOf = async (
  ec2: RouteCalls,
  cluster: ClusterName,
  vpcId: string,
): Promise<readonly ObservedRouteTable[]> => {
  const all = await ec2.describeRouteTables(inVpcs([vpcId]));
  const own = all.filter(({ isMain, tags }) => !isMain && isOfCluster(cluster, tags));
  if (own.length > 0) return own;
  throw new NoRouteTableError(
    `VPC ${vpcId} has no route table that Windlass has made for the cluster; in a VPC of your own, use a CNI plugin that needs no routes, and remove Routes from the annotation windlass.dev/cloud-controller`,
  );
};

/** Costs two reads. Only tags in EC2 prove to which cluster an instance belongs. */
const readFacts = async (
  ec2: RouteCalls,
  cluster: ClusterName,
  vpcId: string,
  { wanted }: RouteWork,
): Promise<RouteFacts> => {
  const tables = await tablesOf(ec2, cluster, vpcId);
  const named = [
    ...wanted.flatMap(({ providerId }) => instanceIdIn(providerId) ?? []),
    ...tables.flatMap(({ routes }) => routes.flatMap(({ instanceId }) => instanceId ?? [])),
  ];
  const found = await ec2.knownInstances([...new Set(named)]);
  return { tables, instances: new Map([...found].filter(([, { tags }]) => isClustersInstance(cluster, tags))) };
};

/** Undefined if it is done. The next check handles what a concurrent run has changed. */
const remove = async (ec2: RouteCalls, removal: RouteRemoval): Promise<string | undefined> => {
  try {
    await ec2.changeRoute(removal);
    return undefined;
  } catch (error) {
    if (isNotFound(error)) return undefined;
    return `the route for ${removal.block} in route table ${removal.tableId} remains: ${describeAwsError(error)}`;
  }
};

/** `waiting`: a concurrent run has created the route; the next check shows whether it is the desired one. */
const establish = async (
  ec2: RouteCalls,
  { route, changes, problem }: PlannedRoute,
): Promise<Pick<RoutesResult, 'failed' | 'waiting'>> => {
  const fail = (message: string, retry: Retry) => {
    const { name, block } = route;
    return { failed: [{ name, block, message, retry }], waiting: [] };
  };
  if (problem !== undefined) return fail(problem.message, problem.retry);
  try {
    for (const change of changes) await ec2.changeRoute(change);
    return { failed: [], waiting: [] };
  } catch (error) {
    return isAlreadyExists(error) ? { failed: [], waiting: [route] } : fail(describeAwsError(error), 'soon');
  }
};

/** Splits off the changes for which the pass has no time. */
const withinLimit = (planned: readonly PlannedRoute[], limit: number) => {
  let changes = 0;
  return Map.groupBy(planned, (one) => {
    const isNow = changes < limit || one.changes.length === 0;
    changes += one.changes.length;
    return isNow ? 'now' : 'later';
  });
};

const settle = async (ec2: RouteCalls, cluster: ClusterName, vpcId: string, work: RouteWork): Promise<RoutesResult> => {
  const { removals, planned } = planRoutes(await readFacts(ec2, cluster, vpcId, work), work.podBlocks, work.wanted);
  // Removals come first, because a table holds a limited number of routes.
  const now = removals.slice(0, MOST_CHANGES);
  const remaining = await mapConcurrently(now, AT_ONCE, (removal) => remove(ec2, removal));
  const later = removals.length - now.length;
  const { now: fitting = [], later: waiting = [] } = Object.fromEntries(
    withinLimit(planned, MOST_CHANGES - now.length),
  );
  const established = await mapConcurrently(fitting, AT_ONCE, (one) => establish(ec2, one));
  return {
    failed: established.flatMap(({ failed }) => failed),
    remaining: [
      ...remaining.flatMap((text) => text ?? []),
      ...(later > 0 ? [`${later} routes are removed by a later pass`] : []),
    ],
    waiting: [...established.flatMap((one) => one.waiting), ...waiting.map(({ route }) => route)],
  };
};

/**
 * Routes to pods on AWS: in the cluster's route tables, to the instances of its nodes, as AWS's own cloud provider
 * creates them.
 */
export const makeRoutePort = ({ scopeOf, ec2 }: RouteDependencies): RoutePort => ({
  settle: async (infrastructure, cluster, work) => {
    const awsCluster = infrastructure as AWSCluster;
    const vpcId = awsCluster.spec.network?.vpc?.id;
    if (vpcId === undefined) throw new NoRouteTableError('the cluster has no VPC yet');
    return settle(ec2(await scopeOf(awsCluster)), cluster, vpcId, work);
  },
});
