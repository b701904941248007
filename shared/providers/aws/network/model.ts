import type { ClusterName } from '../tags.ts';
import type { SeenPools } from './address-pools/model.ts';
import type { AddressAction, SeenAddresses, WantedAddresses } from './addresses/model.ts';
import type { BastionAction, SeenBastions } from './bastion/model.ts';
import type { CarrierGatewayAction, SeenCarrierGateways, WantedCarrierGateway } from './carrier-gateway/model.ts';
import type { DefaultGroupAction, WantedDefaultGroup } from './default-group/model.ts';
import type {
  EgressOnlyGatewayAction,
  SeenEgressOnlyGateways,
  WantedEgressOnlyGateway,
} from './egress-only-gateway/model.ts';
import type { EndpointAction, SeenEndpoints, WantedEndpoint } from './endpoints/model.ts';
import type { InternetGatewayAction, SeenInternetGateways, WantedInternetGateway } from './internet-gateway/model.ts';
import type { NatGatewayAction, SeenNatGateways, WantedNatGateways } from './nat-gateways/model.ts';
import type { SeenNetworkInterfaces } from './network-interfaces/model.ts';
import type { RouteTableAction, SeenRouteTables } from './route-tables/model.ts';
import type { SecondaryBlockAction, WantedSecondaryBlocks } from './secondary-blocks/model.ts';
import type { SecurityGroupAction, SeenSecurityGroups, WantedSecurityGroups } from './security-groups/model.ts';
import type { SeenSubnets, SubnetAction, WantedSubnets } from './subnets/model.ts';
import type { TagAction } from './tags/model.ts';
import type { SeenVpcs, VpcAction, WantedVpc } from './vpc/model.ts';

/**
 * The complete network of a cluster: what the drivers observe, desire and do. Each part is declared in the resource's
 * own folder. Ids are AWS ids; nothing here uses the SDK.
 */

/**
 * A snapshot. Everything in it belongs to the VPCs in `vpcs`, except unattached gateways, addresses, and resources that
 * the spec names by an id that is in none of the VPCs.
 */
export interface ObservedNetwork
  extends SeenVpcs,
    SeenSubnets,
    SeenInternetGateways,
    SeenEgressOnlyGateways,
    SeenCarrierGateways,
    SeenEndpoints,
    SeenRouteTables,
    SeenPools,
    SeenAddresses,
    SeenNatGateways,
    SeenSecurityGroups,
    SeenBastions,
    SeenNetworkInterfaces {}

export interface DesiredNetwork
  extends WantedVpc,
    WantedSecondaryBlocks,
    WantedSubnets,
    WantedInternetGateway,
    WantedEgressOnlyGateway,
    WantedCarrierGateway,
    WantedEndpoint,
    WantedAddresses,
    WantedNatGateways,
    WantedDefaultGroup,
    WantedSecurityGroups {
  cluster: ClusterName;
  /** Distinguishes the client tokens of a cluster from those of an earlier one with the same name. */
  clusterUid: string;
}

/** One call to EC2. `intent` is the key under which the intent is recorded before the call. */
export type NetworkAction =
  | TagAction
  | VpcAction
  | SecondaryBlockAction
  | SubnetAction
  | InternetGatewayAction
  | EgressOnlyGatewayAction
  | CarrierGatewayAction
  | EndpointAction
  | RouteTableAction
  | AddressAction
  | NatGatewayAction
  | DefaultGroupAction
  | SecurityGroupAction
  | BastionAction;

/** What must be done now. If there is nothing to do and nothing to wait for, the goal is reached. */
export interface NetworkPlan {
  actions: readonly NetworkAction[];
  /** Resources that were just requested and are not visible yet. */
  waiting: readonly string[];
  /** What a user must change before the step can continue. */
  problem?: NetworkProblem;
  /** Something that was requested and takes AWS minutes. Only its condition waits for it. */
  coming?: NetworkProblem;
}

/** The conditions of an AWSCluster about its network. */
export type NetworkCondition =
  | 'VpcReady'
  | 'SecondaryCidrsReady'
  | 'SubnetsReady'
  | 'InternetGatewayReady'
  | 'EgressOnlyInternetGatewayReady'
  | 'CarrierGatewayReady'
  | 'VpcEndpointsReady'
  | 'RouteTablesReady'
  | 'NatGatewaysReady'
  | 'ClusterSecurityGroupsReady';

export interface NetworkProblem {
  condition: NetworkCondition;
  message: string;
}
