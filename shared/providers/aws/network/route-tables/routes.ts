import type { NetworkAction } from '../model.ts';
import type { ObservedRouteTable } from './model.ts';

/** Routes of a table, for all planners. */

/** Any IPv6 address. */
export const ANYWHERE6 = '::/0';

/**
 * The prefix with which NAT gateways provide access to IPv4 from IPv6-only subnets; Amazon's resolver returns such
 * addresses in subnets with DNS64.
 */
export const NAT64 = '64:ff9b::/96';

/** The action that makes a route of a table lead to `target`; nothing if it already does. */
export const planIpv6Route = (table: ObservedRouteTable, destination: string, target: string): NetworkAction[] => {
  const route = table.routes.find((one) => one.destination === destination);
  if (route?.target === target && !route.isBlackhole) return [];
  return [{ type: 'SetIpv6Route', routeTableId: table.id, destination, target, replaces: route !== undefined }];
};

export const DEFAULT_ROUTE = '0.0.0.0/0';

/** The action that makes the default route of a table lead to `target`; nothing if it already does. */
export const planDefaultRoute = (table: ObservedRouteTable, target: string): NetworkAction[] => {
  const route = table.routes.find(({ destination }) => destination === DEFAULT_ROUTE);
  if (route?.target === target && !route.isBlackhole) return [];
  return [{ type: 'SetDefaultRoute', routeTableId: table.id, target, replaces: route !== undefined }];
};

/** The table that a subnet uses through its own association. */
export const routeTableOf = (
  tables: readonly ObservedRouteTable[],
  subnetId: string | undefined,
): ObservedRouteTable | undefined =>
  subnetId === undefined
    ? undefined
    : tables.find(({ associations }) => associations.some((association) => association.subnetId === subnetId));
