import type { EC2Client } from '@aws-sdk/client-ec2';
import { type Ec2Bastion, ec2Bastion } from '../network/bastion/api.ts';
import type {
  IngressPermission,
  ObservedAddress,
  ObservedInternetGateway,
  ObservedNatGateway,
  ObservedNetworkInterface,
  ObservedRouteTable,
  ObservedSecurityGroup,
  ObservedSubnet,
  ObservedVpc,
} from '../network/model.ts';
import type { Tags } from '../tags.ts';
import { type Ec2NetworkExtraReads, ec2NetworkExtraReads } from './ec2-network-extra-reads.ts';
import { type Ec2NetworkExtraWrites, ec2NetworkExtraWrites } from './ec2-network-extra-writes.ts';
import { ec2NetworkReads } from './ec2-network-reads.ts';
import { ec2NetworkWrites } from './ec2-network-writes.ts';
import { type Ec2Volumes, ec2Volumes } from './ec2-volumes.ts';

/** Any of the values matches; all filters must. */
export interface Filter {
  name: string;
  values: readonly string[];
}

/** The reads; each follows all pages. An empty filter value list would match nothing and is not allowed. */
export interface Ec2NetworkReads {
  /** Names of the zones in which resources can be made: available, and no local or wavelength zones. */
  describeAvailabilityZones(): Promise<string[]>;
  describeVpcs(filters: readonly Filter[]): Promise<ObservedVpc[]>;
  describeVpcDns(vpcId: string): Promise<{ dnsHostnames: boolean; dnsSupport: boolean }>;
  describeSubnets(filters: readonly Filter[]): Promise<ObservedSubnet[]>;
  describeInternetGateways(filters: readonly Filter[]): Promise<ObservedInternetGateway[]>;
  describeRouteTables(filters: readonly Filter[]): Promise<ObservedRouteTable[]>;
  describeNatGateways(filters: readonly Filter[]): Promise<ObservedNatGateway[]>;
  describeAddresses(filters: readonly Filter[]): Promise<ObservedAddress[]>;
  describeSecurityGroups(filters: readonly Filter[]): Promise<ObservedSecurityGroup[]>;
  describeNetworkInterfaces(filters: readonly Filter[]): Promise<ObservedNetworkInterface[]>;
}

/** The writes, one call each. Creations carry their tags and return the new id. Errors are the SDK's. */
export interface Ec2NetworkWrites {
  modifyVpcAttribute(input: { vpcId: string; attribute: 'EnableDnsHostnames' | 'EnableDnsSupport' }): Promise<void>;
  createTags(input: { resourceId: string; tags: Tags }): Promise<void>;
  deleteTags(input: { resourceId: string; keys: readonly string[] }): Promise<void>;
  /** With an empty `cidrBlock` a subnet of IPv6 only. */
  createSubnet(input: {
    vpcId: string;
    zone: string;
    cidrBlock: string;
    ipv6CidrBlock?: string;
    tags: Tags;
  }): Promise<string>;
  mapPublicIpOnLaunch(subnetId: string): Promise<void>;
  createInternetGateway(tags: Tags): Promise<string>;
  attachInternetGateway(input: { internetGatewayId: string; vpcId: string }): Promise<void>;
  createRouteTable(input: { vpcId: string; tags: Tags }): Promise<string>;
  /** Returns the id of the association. */
  associateRouteTable(input: { routeTableId: string; subnetId: string }): Promise<string>;
  createSecurityGroup(input: { vpcId: string; name: string; description: string; tags: Tags }): Promise<string>;
  authorizeIngress(groupId: string, permissions: readonly IngressPermission[]): Promise<void>;
  revokeIngress(groupId: string, permissions: readonly IngressPermission[]): Promise<void>;
  /** Revokes the outgoing rules that name one of the groups. */
  revokeEgressToGroups(groupId: string, groupIds: readonly string[]): Promise<void>;
  /** Of the pool, if one is given, else of Amazon's. */
  allocateAddress(tags: Tags, pool?: string): Promise<string>;
  createNatGateway(input: { subnetId: string; allocationId: string; clientToken: string; tags: Tags }): Promise<string>;
  deleteVpc(vpcId: string): Promise<void>;
  deleteSubnet(subnetId: string): Promise<void>;
  detachInternetGateway(input: { internetGatewayId: string; vpcId: string }): Promise<void>;
  deleteInternetGateway(internetGatewayId: string): Promise<void>;
  disassociateRouteTable(associationId: string): Promise<void>;
  deleteRouteTable(routeTableId: string): Promise<void>;
  deleteSecurityGroup(groupId: string): Promise<void>;
  deleteNatGateway(natGatewayId: string): Promise<void>;
  releaseAddress(allocationId: string): Promise<void>;
}

/** The part of EC2 that networks are made of. */
export interface Ec2Network
  extends Ec2NetworkReads,
    Ec2NetworkWrites,
    Ec2NetworkExtraReads,
    Ec2NetworkExtraWrites,
    Ec2Bastion,
    Ec2Volumes {}

/**
 * The port over SDK clients. `writer` should make one attempt only (maxAttempts 1): the SDK's own retry of a creation
 * whose answer was lost would make a second resource, where the steps look first.
 */
export const createEc2Network = (reader: EC2Client, writer: EC2Client): Ec2Network => ({
  ...ec2NetworkReads(reader),
  ...ec2NetworkExtraReads(reader),
  ...ec2NetworkWrites(writer),
  ...ec2Bastion(reader, writer),
  ...ec2Volumes(reader, writer),
  ...ec2NetworkExtraWrites(writer),
});
