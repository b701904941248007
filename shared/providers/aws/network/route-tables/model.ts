import type { Tags } from '../../tags.ts';

export interface ObservedRoute {
  destination: string;
  /** The id of a gateway of any kind. */
  target?: string;
  /** The id of the target instance, in addition to that of its network interface. */
  instanceId?: string;
  isBlackhole: boolean;
}

export interface ObservedRouteTable {
  id: string;
  vpcId: string;
  /** Whether it is the VPC's main table, which is created and deleted with the VPC. */
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
