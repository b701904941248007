import {
  AssociateVpcCidrBlockCommand,
  CreateCarrierGatewayCommand,
  CreateEgressOnlyInternetGatewayCommand,
  CreateRouteCommand,
  CreateVpcCommand,
  type CreateVpcCommandInput,
  CreateVpcEndpointCommand,
  DeleteCarrierGatewayCommand,
  DeleteEgressOnlyInternetGatewayCommand,
  DeleteVpcEndpointsCommand,
  DescribeSecurityGroupsCommand,
  DisassociateVpcCidrBlockCommand,
  type EC2Client,
  EC2ServiceException,
  ModifySubnetAttributeCommand,
  ModifyVpcEndpointCommand,
  ReplaceRouteCommand,
  type ResourceType,
  RevokeSecurityGroupEgressCommand,
  RevokeSecurityGroupIngressCommand,
} from '@aws-sdk/client-ec2';
import type { HostnameType, SubnetAttribute, VpcNumbers } from '../network/model-gateways.ts';
import { INTENT_TAG, type Tags, toTagList } from '../tags.ts';

interface RouteInput {
  routeTableId: string;
  destination: string;
  /** `igw-…`, `eigw-…`, `cagw-…` or `nat-…`. */
  target: string;
}

/** Writes of what only some networks have, one call each. Creations return the new id. Errors are the SDK's. */
export interface Ec2NetworkExtraWrites {
  createVpc(input: VpcNumbers & { tags: Tags }): Promise<string>;
  associateVpcBlock(input: { vpcId: string; cidrBlock: string }): Promise<void>;
  disassociateVpcBlock(associationId: string): Promise<void>;
  setSubnetAttribute(input: { subnetId: string; attribute: SubnetAttribute }): Promise<void>;
  setSubnetHostnames(input: { subnetId: string; hostnameType: HostnameType }): Promise<void>;
  createRoute(input: RouteInput): Promise<void>;
  replaceRoute(input: RouteInput): Promise<void>;
  createEgressOnlyInternetGateway(input: { vpcId: string; tags: Tags }): Promise<string>;
  deleteEgressOnlyInternetGateway(id: string): Promise<void>;
  createCarrierGateway(input: { vpcId: string; tags: Tags }): Promise<string>;
  deleteCarrierGateway(id: string): Promise<void>;
  createVpcEndpoint(input: {
    vpcId: string;
    serviceName: string;
    routeTableIds: readonly string[];
    tags: Tags;
  }): Promise<string>;
  modifyVpcEndpoint(input: { id: string; add: readonly string[]; remove: readonly string[] }): Promise<void>;
  deleteVpcEndpoint(id: string): Promise<void>;
  /** Takes all rules away, in and out. */
  emptySecurityGroup(groupId: string): Promise<void>;
}

const tagged = (resource: ResourceType, tags: Tags) => [{ ResourceType: resource, Tags: toTagList(tags) }];

const idOf = (id: string | undefined, call: string): string => {
  if (id === undefined) throw new Error(`EC2 answered ${call} without an id`);
  return id;
};

/** The intent's token names this very creation: a lost answer gives the same thing again. */
const tokenOf = (tags: Tags) => (tags[INTENT_TAG] ? { ClientToken: tags[INTENT_TAG] } : {});

const ipv6Numbers = (ipv6: VpcNumbers['ipv6']): Partial<CreateVpcCommandInput> => {
  if (ipv6 === undefined) return {};
  if (ipv6 === 'amazon') return { AmazonProvidedIpv6CidrBlock: true };
  if ('cidrBlock' in ipv6) return { Ipv6CidrBlock: ipv6.cidrBlock, Ipv6Pool: ipv6.poolId };
  return { Ipv6IpamPoolId: ipv6.ipamPool.id, Ipv6NetmaskLength: ipv6.ipamPool.netmaskLength };
};

const ipv4Numbers = ({ cidrBlock, ipamPool }: VpcNumbers): Partial<CreateVpcCommandInput> =>
  ipamPool ? { Ipv4IpamPoolId: ipamPool.id, Ipv4NetmaskLength: ipamPool.netmaskLength } : { CidrBlock: cidrBlock };

const targetOf = (target: string) => {
  if (target.startsWith('nat-')) return { NatGatewayId: target };
  if (target.startsWith('eigw-')) return { EgressOnlyInternetGatewayId: target };
  return target.startsWith('cagw-') ? { CarrierGatewayId: target } : { GatewayId: target };
};

const toRoute = ({ routeTableId, destination, target }: RouteInput) => ({
  RouteTableId: routeTableId,
  ...(destination.includes(':') ? { DestinationIpv6CidrBlock: destination } : { DestinationCidrBlock: destination }),
  ...targetOf(target),
});

const gateways = (client: EC2Client) => ({
  createEgressOnlyInternetGateway: async ({ vpcId, tags }: { vpcId: string; tags: Tags }) => {
    const TagSpecifications = tagged('egress-only-internet-gateway', tags);
    const command = new CreateEgressOnlyInternetGatewayCommand({ VpcId: vpcId, TagSpecifications, ...tokenOf(tags) });
    const { EgressOnlyInternetGateway: made } = await client.send(command);
    return idOf(made?.EgressOnlyInternetGatewayId, 'CreateEgressOnlyInternetGateway');
  },
  deleteEgressOnlyInternetGateway: async (id: string) => {
    await client.send(new DeleteEgressOnlyInternetGatewayCommand({ EgressOnlyInternetGatewayId: id }));
  },
  createCarrierGateway: async ({ vpcId, tags }: { vpcId: string; tags: Tags }) => {
    const TagSpecifications = tagged('carrier-gateway', tags);
    const command = new CreateCarrierGatewayCommand({ VpcId: vpcId, TagSpecifications, ...tokenOf(tags) });
    return idOf((await client.send(command)).CarrierGateway?.CarrierGatewayId, 'CreateCarrierGateway');
  },
  deleteCarrierGateway: async (id: string) => {
    await client.send(new DeleteCarrierGatewayCommand({ CarrierGatewayId: id }));
  },
});

const endpoints = (
  client: EC2Client,
): Pick<Ec2NetworkExtraWrites, 'createVpcEndpoint' | 'modifyVpcEndpoint' | 'deleteVpcEndpoint'> => ({
  createVpcEndpoint: async ({ vpcId, serviceName, routeTableIds, tags }) => {
    const command = new CreateVpcEndpointCommand({
      VpcEndpointType: 'Gateway',
      VpcId: vpcId,
      ServiceName: serviceName,
      RouteTableIds: [...routeTableIds],
      TagSpecifications: tagged('vpc-endpoint', tags),
      ...tokenOf(tags),
    });
    return idOf((await client.send(command)).VpcEndpoint?.VpcEndpointId, 'CreateVpcEndpoint');
  },
  modifyVpcEndpoint: async ({ id, add, remove }) => {
    const change = { AddRouteTableIds: [...add], RemoveRouteTableIds: [...remove] };
    await client.send(new ModifyVpcEndpointCommand({ VpcEndpointId: id, ...change }));
  },
  deleteVpcEndpoint: async (id) => {
    const { Unsuccessful, $metadata } = await client.send(new DeleteVpcEndpointsCommand({ VpcEndpointIds: [id] }));
    const error = Unsuccessful?.[0]?.Error;
    // The call succeeds all the same: what went wrong stands in its answer.
    if (!error?.Code) return;
    throw new EC2ServiceException({ name: error.Code, message: error.Message ?? '', $fault: 'client', $metadata });
  },
});

const emptySecurityGroup = async (client: EC2Client, groupId: string): Promise<void> => {
  const { SecurityGroups } = await client.send(new DescribeSecurityGroupsCommand({ GroupIds: [groupId] }));
  const { IpPermissions = [], IpPermissionsEgress = [] } = SecurityGroups?.[0] ?? {};
  if (IpPermissions.length > 0) {
    await client.send(new RevokeSecurityGroupIngressCommand({ GroupId: groupId, IpPermissions }));
  }
  if (IpPermissionsEgress.length === 0) return;
  await client.send(new RevokeSecurityGroupEgressCommand({ GroupId: groupId, IpPermissions: IpPermissionsEgress }));
};

/** The writes of Ec2NetworkExtraWrites. */
export const ec2NetworkExtraWrites = (client: EC2Client): Ec2NetworkExtraWrites => ({
  ...gateways(client),
  ...endpoints(client),
  createVpc: async ({ tags, ...numbers }) => {
    const input = { ...ipv4Numbers(numbers), ...ipv6Numbers(numbers.ipv6), TagSpecifications: tagged('vpc', tags) };
    return idOf((await client.send(new CreateVpcCommand(input))).Vpc?.VpcId, 'CreateVpc');
  },
  associateVpcBlock: async ({ vpcId, cidrBlock }) => {
    await client.send(new AssociateVpcCidrBlockCommand({ VpcId: vpcId, CidrBlock: cidrBlock }));
  },
  disassociateVpcBlock: async (associationId) => {
    await client.send(new DisassociateVpcCidrBlockCommand({ AssociationId: associationId }));
  },
  setSubnetAttribute: async ({ subnetId, attribute }) => {
    await client.send(new ModifySubnetAttributeCommand({ SubnetId: subnetId, [attribute]: { Value: true } }));
  },
  setSubnetHostnames: async ({ subnetId, hostnameType }) => {
    const input = { SubnetId: subnetId, PrivateDnsHostnameTypeOnLaunch: hostnameType };
    await client.send(new ModifySubnetAttributeCommand(input));
  },
  createRoute: async (input) => {
    await client.send(new CreateRouteCommand(toRoute(input)));
  },
  replaceRoute: async (input) => {
    await client.send(new ReplaceRouteCommand(toRoute(input)));
  },
  emptySecurityGroup: (groupId) => emptySecurityGroup(client, groupId),
});
