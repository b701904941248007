import type { V1Node } from '@kubernetes/client-node';
import { routesPods } from '../../../../shared/kinds/rules/cloud-controller.ts';
import { memoryOf } from '../../../../shared/plan/duties/settled.ts';
import { routedClaim, unroutedClaim, wasRouted } from '../../../../shared/plan/routes/condition.ts';
import { ROUTES_ENTRY, routesDigest } from '../../../../shared/plan/routes/digest.ts';
import { blocksOf, type FailedRoute, wantedRoutes } from '../../../../shared/plan/routes/wanted.ts';
import { mapConcurrently } from '../../../../shared/store/concurrency.ts';
import { NoRouteTableError, type RoutePort } from '../../../providers/ports.ts';
import type { ProbeDependencies } from '../dependencies.ts';
import { type Duty, type OnDuty, onDuty, type Verdict } from '../duties/duty.ts';
import { writeNode } from './write-nodes.ts';

const WRITES_AT_ONCE = 5;

type Routing = OnDuty<RoutePort>;

/** `waiting`: names of nodes whose result is not known yet. */
const write = async (
  routing: Routing,
  nodes: readonly V1Node[],
  failed: readonly FailedRoute[],
  waiting: ReadonlySet<string>,
): Promise<FailedRoute[]> => {
  const byNode = Map.groupBy(failed, ({ name }) => name);
  const known = nodes.filter(({ metadata }) => !waiting.has(metadata?.name ?? ''));
  const unwritten = await mapConcurrently(known, WRITES_AT_ONCE, (node) =>
    writeNode(routing, node, byNode.get(node.metadata?.name ?? '') ?? []),
  );
  return unwritten.flatMap((one) => one ?? []);
};

const route = async (routing: Routing, podBlocks: readonly string[]): Promise<Verdict> => {
  const { snapshot, port, nodes } = routing;
  const { cluster, infrastructureCluster } = snapshot;
  if (!infrastructureCluster) return { claim: unroutedClaim('CloudFailed', 'the cluster has no infrastructure yet') };
  const { namespace = '', name } = cluster.metadata;
  const { wanted, refused } = wantedRoutes(nodes, podBlocks);
  const result = await port.settle(infrastructureCluster, { namespace, name }, { podBlocks, wanted });
  const allocated = nodes.filter((node) => blocksOf(node).length > 0);
  const failed = [...refused, ...result.failed];
  const unwritten = await write(routing, allocated, failed, new Set(result.waiting.map((one) => one.name)));
  const problems = [...failed, ...unwritten];
  const claim = routedClaim(allocated.length, problems, result.remaining, result.waiting.length);
  if (result.remaining.length + result.waiting.length > 0) return { claim };
  const retries = problems.map(({ retry }) => retry);
  return { claim, digest: memoryOf(routesDigest(nodes, podBlocks), retries) };
};

const carryOut = async (routing: Routing): Promise<Verdict> => {
  const { clusterNetwork } = routing.snapshot.cluster.spec;
  const podBlocks = clusterNetwork?.pods?.cidrBlocks ?? [];
  const digest = routesDigest(routing.nodes, podBlocks);
  // Only a change of the Cluster helps, and it causes a pass anyway.
  if (podBlocks.length === 0) {
    const message = 'spec.clusterNetwork.pods.cidrBlocks: nodes get CIDR blocks for pods only if it is set';
    return { claim: unroutedClaim('NoPodNetwork', message), digest };
  }
  try {
    return await route(routing, podBlocks);
  } catch (error) {
    if (!(error instanceof NoRouteTableError)) throw error;
    return { claim: unroutedClaim('NoRouteTable', error.message), digest: memoryOf(digest, ['hourly']) };
  }
};

export const ROUTES_DUTY: Duty<RoutePort> = {
  entry: ROUTES_ENTRY,
  isWanted: routesPods,
  wasWanted: wasRouted,
  portOf: (port) => port?.routes,
  idleClaim: unroutedClaim,
  subject: 'routes to pods',
  lacks: 'makes no routes to pods',
  stays: 'existing routes stay',
  carryOut,
};

/**
 * Creates routes to the pods of a workload cluster's nodes, as a cloud controller manager does, if the annotation
 * requests it. Conditions of the Cluster and of each node report the result; nodes whose routes fail get events in
 * their own cluster.
 */
export const routeNodes = (deps: ProbeDependencies) => onDuty(ROUTES_DUTY, deps);
