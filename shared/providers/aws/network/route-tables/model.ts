import type { Tags } from '../../tags.ts';

export interface ObservedRoute {
  destination: string;
  /** Id of the gateway, of any kind. */
  target?: string;
  /** Of an instance that it leads to, in addition to its network interface. */
  instanceId?: string;
  isBlackhole: boolean;
}

export interface ObservedRouteTable {
  id: string;
  vpcId: string;
  /** The VPC's own: it comes and goes with it. */
  isMain: boolean;
  tags: Tags;
  routes: readonly ObservedRoute[];
  associations: readonly { id: string; subnetId: string }[];
}

export interface SeenRouteTables {
  routeTables: readonly ObservedRouteTable[];
}

export type RouteTableAction =
  | { type: 'CreateRouteTable'; intent: string; vpcId: string; tags: Tags }
  | { type: 'AssociateRouteTable'; routeTableId: string; subnetId: string }
  | { type: 'SetDefaultRoute'; routeTableId: string; target: string; replaces: boolean }
  | { type: 'SetIpv6Route'; routeTableId: string; destination: string; target: string; replaces: boolean }
  | { type: 'DisassociateRouteTable'; associationId: string }
  | { type: 'DeleteRouteTable'; routeTableId: string };
