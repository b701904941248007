import { type Cidr, cidrOf, contains, formatCidr, overlaps, parseCidr } from '../../../cidr.ts';
import type { Retry } from '../../../plan/duties/retry.ts';
import type { WantedRoute } from '../../../plan/routes/wanted.ts';
import type { ObservedRoute, ObservedRouteTable } from '../network/route-tables/model.ts';
import { instanceIdIn } from '../plan/launch/instance.ts';
import type { NodeInstance } from '../services/instances-api.ts';
import type { PlannedRoute, RouteChange, RoutePlan, RouteRemoval } from './model.ts';

export interface RouteFacts {
  /** The route tables of the cluster. */
  readonly tables: readonly ObservedRouteTable[];
  /** The cluster's own instances, among those to which nodes or routes refer. */
  readonly instances: ReadonlyMap<string, NodeInstance>;
}

/** EC2's own routes of a VPC: one for each of its blocks. */
const localBlocks = ({ routes }: ObservedRouteTable): string[] =>
  routes.filter(({ target }) => target === 'local').map(({ destination }) => destination);

/** Whether a route led to an instance that no longer exists. */
const isDead = ({ isBlackhole, target, instanceId }: ObservedRoute): boolean =>
  isBlackhole && (instanceId !== undefined || target === undefined || target.startsWith('eni-'));

/** Whether the route may be changed: it leads to an instance of the cluster, or to one that no longer exists. */
const isOurs = ({ instances }: RouteFacts, route: ObservedRoute): boolean =>
  isDead(route) || (route.instanceId !== undefined && instances.has(route.instanceId));

const isInside = (podBlocks: readonly string[], text: string): boolean => {
  const block = parseCidr(text, 4);
  return block !== undefined && podBlocks.some((one) => contains(cidrOf(one), block));
};

/**
 * The routes inside the pod network that no node needs. Upstream's `isResponsibleForRoute` only checks the block; here
 * an active route to something other than the cluster's instances is kept.
 */
const planRemovals = (facts: RouteFacts, podBlocks: readonly string[], wanted: ReadonlySet<string>): RouteRemoval[] =>
  facts.tables.flatMap(({ id: tableId, routes }) =>
    routes
      .filter((route) => isInside(podBlocks, route.destination) && !wanted.has(route.destination))
      .filter((route) => isOurs(facts, route))
      .map(({ destination: block }) => ({ type: 'DeleteRoute', tableId, block })),
  );

interface Table {
  readonly tableId: string;
  readonly byBlock: ReadonlyMap<string, ObservedRoute>;
}

const changeIn = (
  facts: RouteFacts,
  { tableId, byBlock }: Table,
  block: string,
  instanceId: string,
): RouteChange[] | string => {
  const found = byBlock.get(block);
  if (!found) return [{ type: 'CreateRoute', tableId, block, instanceId }];
  if (found.instanceId === instanceId && !found.isBlackhole) return [];
  if (isOurs(facts, found)) return [{ type: 'ReplaceRoute', tableId, block, instanceId }];
  return `route table ${tableId} already has a route for ${block}, to ${found.instanceId ?? found.target ?? 'an unknown target'}; it is left alone`;
};

/** The cluster's running instance to which a node refers. */
const instanceOf = ({ instances }: RouteFacts, { providerId }: WantedRoute) => {
  const id = instanceIdIn(providerId) ?? '';
  const instance = instances.get(id);
  return instance?.isRunning ? { id, ...instance } : undefined;
};

interface Places {
  readonly tables: readonly Table[];
  /** The blocks of the VPC. */
  readonly own: readonly Cidr[];
}

const placesIn = ({ tables }: RouteFacts): Places => ({
  tables: tables.map(({ id: tableId, routes }) => ({
    tableId,
    byBlock: new Map(routes.map((route) => [route.destination, route])),
  })),
  own: [...new Set(tables.flatMap(localBlocks))].map((text) => cidrOf(text)),
});

const planOne = (facts: RouteFacts, places: Places, route: WantedRoute): PlannedRoute => {
  const refuse = (message: string, retry: Retry): PlannedRoute => ({ route, changes: [], problem: { message, retry } });
  const { block } = route;
  const instance = instanceOf(facts, route);
  if (!instance) return refuse('spec.providerID: it does not name a running instance of the cluster', 'hourly');
  const own = places.own.find((one) => overlaps(one, cidrOf(block)));
  if (own) return refuse(`spec.podCIDRs: the block overlaps ${formatCidr(own)}, which is the VPC's own`, 'never');
  const inTables = places.tables.map((table) => changeIn(facts, table, block, instance.id));
  const problem = inTables.find((one) => typeof one === 'string');
  if (problem !== undefined) return refuse(problem, 'hourly');
  const changes = inTables.flatMap((one) => (typeof one === 'string' ? [] : one));
  const check = instance.checksSource ? [{ type: 'DisableSourceCheck', instanceId: instance.id } as const] : [];
  return { route, changes: [...check, ...changes] };
};

/**
 * The changes of routes to a cluster's nodes, in each of its route tables. Source: `CreateRoute` and `ListRoutes` of
 * AWS's cloud provider (pkg/providers/v1/aws_routes.go), which handles one table.
 */
export const planRoutes = (
  facts: RouteFacts,
  podBlocks: readonly string[],
  wanted: readonly WantedRoute[],
): RoutePlan => {
  const places = placesIn(facts);
  const kept = wanted.filter((route) => instanceOf(facts, route)).map(({ block }) => block);
  return {
    removals: planRemovals(facts, podBlocks, new Set(kept)),
    planned: wanted.map((route) => planOne(facts, places, route)),
  };
};
