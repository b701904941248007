import type { EC2Client } from '@aws-sdk/client-ec2';
import { type Ec2Volumes, ec2Volumes } from '../api/ec2-volumes.ts';
import { type PoolReads, poolReads } from './address-pools/api.ts';
import { type AddressReads, type AddressWrites, addressReads, addressWrites } from './addresses/api.ts';
import { type Ec2Bastion, ec2Bastion } from './bastion/api.ts';
import {
  type CarrierGatewayReads,
  type CarrierGatewayWrites,
  carrierGatewayReads,
  carrierGatewayWrites,
} from './carrier-gateway/api.ts';
import { type DefaultGroupWrites, defaultGroupWrites } from './default-group/api.ts';
import {
  type EgressOnlyGatewayReads,
  type EgressOnlyGatewayWrites,
  egressOnlyGatewayReads,
  egressOnlyGatewayWrites,
} from './egress-only-gateway/api.ts';
import { type EndpointReads, type EndpointWrites, endpointReads, endpointWrites } from './endpoints/api.ts';
import {
  type InternetGatewayReads,
  type InternetGatewayWrites,
  internetGatewayReads,
  internetGatewayWrites,
} from './internet-gateway/api.ts';
import { type NatGatewayReads, type NatGatewayWrites, natGatewayReads, natGatewayWrites } from './nat-gateways/api.ts';
import { type NetworkInterfaceReads, networkInterfaceReads } from './network-interfaces/api.ts';
import { type RouteTableReads, type RouteTableWrites, routeTableReads, routeTableWrites } from './route-tables/api.ts';
import { type SecondaryBlockWrites, secondaryBlockWrites } from './secondary-blocks/api.ts';
import {
  type SecurityGroupReads,
  type SecurityGroupWrites,
  securityGroupReads,
  securityGroupWrites,
} from './security-groups/api.ts';
import { type SubnetReads, type SubnetWrites, subnetReads, subnetWrites } from './subnets/api.ts';
import { type TagWrites, tagWrites } from './tags/api.ts';
import { type VpcReads, type VpcWrites, vpcReads, vpcWrites } from './vpc/api.ts';
import type { Pages } from './wire.ts';
import { type ZoneReads, zoneReads } from './zones/api.ts';

/** The reads; each follows all pages. */
export interface Ec2NetworkReads
  extends ZoneReads,
    VpcReads,
    SubnetReads,
    InternetGatewayReads,
    EgressOnlyGatewayReads,
    CarrierGatewayReads,
    EndpointReads,
    RouteTableReads,
    PoolReads,
    AddressReads,
    NatGatewayReads,
    SecurityGroupReads,
    NetworkInterfaceReads {}

/** The writes, one call each. Creations set the tags and return the new id. Errors are the SDK's. */
interface Ec2NetworkWrites
  extends TagWrites,
    VpcWrites,
    SecondaryBlockWrites,
    SubnetWrites,
    InternetGatewayWrites,
    EgressOnlyGatewayWrites,
    CarrierGatewayWrites,
    EndpointWrites,
    RouteTableWrites,
    AddressWrites,
    NatGatewayWrites,
    DefaultGroupWrites,
    SecurityGroupWrites {}

/** The part of EC2 with which networks are made. */
export interface Ec2Network extends Ec2NetworkReads, Ec2NetworkWrites, Ec2Bastion, Ec2Volumes {}

/** EC2's maximum page size; route tables have smaller pages. */
const PAGE = { pageSize: 1000 };
const ROUTE_TABLE_PAGE = { pageSize: 100 };

/**
 * The reads of Ec2Network. `inPages`: requested page by page, as EC2 recommends for thousands of resources. Otherwise
 * the first response contains everything in a VPC.
 */
export const ec2NetworkReads = (
  client: EC2Client,
  { inPages = false }: { inPages?: boolean } = {},
): Ec2NetworkReads => {
  const paged: Pages = { client, ...(inPages ? PAGE : {}) };
  return {
    ...zoneReads(client),
    ...vpcReads(paged),
    ...subnetReads(paged),
    ...internetGatewayReads(paged),
    ...egressOnlyGatewayReads(client),
    ...carrierGatewayReads(client),
    ...endpointReads(client),
    ...routeTableReads({ client, ...(inPages ? ROUTE_TABLE_PAGE : {}) }),
    ...poolReads(client),
    ...addressReads(paged),
    ...natGatewayReads(paged),
    ...securityGroupReads(paged),
    ...networkInterfaceReads(paged),
  };
};

const ec2NetworkWrites = (client: EC2Client): Ec2NetworkWrites => ({
  ...tagWrites(client),
  ...vpcWrites(client),
  ...secondaryBlockWrites(client),
  ...subnetWrites(client),
  ...internetGatewayWrites(client),
  ...egressOnlyGatewayWrites(client),
  ...carrierGatewayWrites(client),
  ...endpointWrites(client),
  ...routeTableWrites(client),
  ...addressWrites(client),
  ...natGatewayWrites(client),
  ...defaultGroupWrites(client),
  ...securityGroupWrites(client),
});

/**
 * The port, implemented with SDK clients. `writer` should make only one attempt (maxAttempts 1): if the response to a
 * creation was lost, the SDK's retry would create a second resource, whereas the steps first observe the actual state.
 */
export const createEc2Network = (reader: EC2Client, writer: EC2Client): Ec2Network => ({
  ...ec2NetworkReads(reader),
  ...ec2NetworkWrites(writer),
  ...ec2Bastion(reader, writer),
  ...ec2Volumes(reader, writer),
});
