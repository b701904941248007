import {
  AssociateRouteTableCommand,
  AttachInternetGatewayCommand,
  AuthorizeSecurityGroupIngressCommand,
  CreateInternetGatewayCommand,
  CreateNatGatewayCommand,
  CreateRouteTableCommand,
  CreateSecurityGroupCommand,
  CreateSubnetCommand,
  CreateTagsCommand,
  DeleteInternetGatewayCommand,
  DeleteNatGatewayCommand,
  DeleteRouteTableCommand,
  DeleteSecurityGroupCommand,
  DeleteSubnetCommand,
  DeleteTagsCommand,
  DeleteVpcCommand,
  DescribeSecurityGroupsCommand,
  DetachInternetGatewayCommand,
  DisassociateRouteTableCommand,
  type EC2Client,
  ModifySubnetAttributeCommand,
  ModifyVpcAttributeCommand,
  type ResourceType,
  RevokeSecurityGroupEgressCommand,
  RevokeSecurityGroupIngressCommand,
} from '@aws-sdk/client-ec2';
import type { IngressPermission } from '../plan/network/model.ts';
import { type Tags, toTagList } from '../tags.ts';
import { allocateAddress, releaseAddress } from './ec2-addresses.ts';
import { fromPermission } from './ec2-network-shapes.ts';

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

/** Tags of a creation, set in the same call: a resource is never without its owner. */
const tagged = (resource: ResourceType, tags: Tags) => [{ ResourceType: resource, Tags: toTagList(tags) }];

const idOf = (id: string | undefined, call: string): string => {
  if (id === undefined) throw new Error(`EC2 answered ${call} without an id`);
  return id;
};

const creations = (client: EC2Client) => ({
  createSubnet: async (input: {
    vpcId: string;
    zone: string;
    cidrBlock: string;
    ipv6CidrBlock?: string;
    tags: Tags;
  }) => {
    const command = new CreateSubnetCommand({
      VpcId: input.vpcId,
      AvailabilityZone: input.zone,
      ...(input.cidrBlock ? { CidrBlock: input.cidrBlock } : { Ipv6Native: true }),
      ...(input.ipv6CidrBlock ? { Ipv6CidrBlock: input.ipv6CidrBlock } : {}),
      TagSpecifications: tagged('subnet', input.tags),
    });
    return idOf((await client.send(command)).Subnet?.SubnetId, 'CreateSubnet');
  },
  createInternetGateway: async (tags: Tags) => {
    const command = new CreateInternetGatewayCommand({ TagSpecifications: tagged('internet-gateway', tags) });
    return idOf((await client.send(command)).InternetGateway?.InternetGatewayId, 'CreateInternetGateway');
  },
  createRouteTable: async ({ vpcId, tags }: { vpcId: string; tags: Tags }) => {
    const command = new CreateRouteTableCommand({ VpcId: vpcId, TagSpecifications: tagged('route-table', tags) });
    return idOf((await client.send(command)).RouteTable?.RouteTableId, 'CreateRouteTable');
  },
  createSecurityGroup: async (input: { vpcId: string; name: string; description: string; tags: Tags }) => {
    const command = new CreateSecurityGroupCommand({
      VpcId: input.vpcId,
      GroupName: input.name,
      Description: input.description,
      TagSpecifications: tagged('security-group', input.tags),
    });
    return idOf((await client.send(command)).GroupId, 'CreateSecurityGroup');
  },
  allocateAddress: (tags: Tags, pool?: string) => allocateAddress(client, tags, pool),
  createNatGateway: async (input: { subnetId: string; allocationId: string; clientToken: string; tags: Tags }) => {
    const command = new CreateNatGatewayCommand({
      SubnetId: input.subnetId,
      AllocationId: input.allocationId,
      ClientToken: input.clientToken,
      ConnectivityType: 'public',
      TagSpecifications: tagged('natgateway', input.tags),
    });
    return idOf((await client.send(command)).NatGateway?.NatGatewayId, 'CreateNatGateway');
  },
});

const deletions = (client: EC2Client) => ({
  deleteVpc: async (vpcId: string) => {
    await client.send(new DeleteVpcCommand({ VpcId: vpcId }));
  },
  deleteSubnet: async (subnetId: string) => {
    await client.send(new DeleteSubnetCommand({ SubnetId: subnetId }));
  },
  detachInternetGateway: async ({ internetGatewayId, vpcId }: { internetGatewayId: string; vpcId: string }) => {
    await client.send(new DetachInternetGatewayCommand({ InternetGatewayId: internetGatewayId, VpcId: vpcId }));
  },
  deleteInternetGateway: async (internetGatewayId: string) => {
    await client.send(new DeleteInternetGatewayCommand({ InternetGatewayId: internetGatewayId }));
  },
  disassociateRouteTable: async (associationId: string) => {
    await client.send(new DisassociateRouteTableCommand({ AssociationId: associationId }));
  },
  deleteRouteTable: async (routeTableId: string) => {
    await client.send(new DeleteRouteTableCommand({ RouteTableId: routeTableId }));
  },
  deleteSecurityGroup: async (groupId: string) => {
    await client.send(new DeleteSecurityGroupCommand({ GroupId: groupId }));
  },
  deleteNatGateway: async (natGatewayId: string) => {
    await client.send(new DeleteNatGatewayCommand({ NatGatewayId: natGatewayId }));
  },
  releaseAddress: (allocationId: string) => releaseAddress(client, allocationId),
});

const securityGroupRules = (
  client: EC2Client,
): Pick<Ec2NetworkWrites, 'authorizeIngress' | 'revokeIngress' | 'revokeEgressToGroups'> => ({
  authorizeIngress: async (groupId, permissions) => {
    const IpPermissions = permissions.map(fromPermission);
    await client.send(new AuthorizeSecurityGroupIngressCommand({ GroupId: groupId, IpPermissions }));
  },
  revokeIngress: async (groupId, permissions) => {
    const IpPermissions = permissions.map(fromPermission);
    await client.send(new RevokeSecurityGroupIngressCommand({ GroupId: groupId, IpPermissions }));
  },
  revokeEgressToGroups: async (groupId, groupIds) => {
    const { SecurityGroups } = await client.send(new DescribeSecurityGroupsCommand({ GroupIds: [groupId] }));
    const rules = (SecurityGroups ?? []).flatMap(({ IpPermissionsEgress }) => IpPermissionsEgress ?? []);
    const IpPermissions = rules.flatMap(({ IpProtocol, FromPort, ToPort, UserIdGroupPairs }) => {
      const pairs = UserIdGroupPairs?.filter(({ GroupId }) => GroupId && groupIds.includes(GroupId)) ?? [];
      return pairs.length > 0 ? [{ IpProtocol, FromPort, ToPort, UserIdGroupPairs: pairs }] : [];
    });
    if (IpPermissions.length === 0) return;
    await client.send(new RevokeSecurityGroupEgressCommand({ GroupId: groupId, IpPermissions }));
  },
});

/** The writes of Ec2Network. */
export const ec2NetworkWrites = (client: EC2Client): Ec2NetworkWrites => ({
  ...creations(client),
  ...deletions(client),
  ...securityGroupRules(client),
  modifyVpcAttribute: async ({ vpcId, attribute }) => {
    await client.send(new ModifyVpcAttributeCommand({ VpcId: vpcId, [attribute]: { Value: true } }));
  },
  createTags: async ({ resourceId, tags }) => {
    await client.send(new CreateTagsCommand({ Resources: [resourceId], Tags: toTagList(tags) }));
  },
  deleteTags: async ({ resourceId, keys }) => {
    const input = { Resources: [resourceId], Tags: keys.map((Key) => ({ Key })) };
    await client.send(new DeleteTagsCommand(input));
  },
  mapPublicIpOnLaunch: async (subnetId) => {
    const input = { SubnetId: subnetId, MapPublicIpOnLaunch: { Value: true } };
    await client.send(new ModifySubnetAttributeCommand(input));
  },
  attachInternetGateway: async ({ internetGatewayId, vpcId }) => {
    await client.send(new AttachInternetGatewayCommand({ InternetGatewayId: internetGatewayId, VpcId: vpcId }));
  },
  associateRouteTable: async ({ routeTableId, subnetId }) => {
    const command = new AssociateRouteTableCommand({ RouteTableId: routeTableId, SubnetId: subnetId });
    return idOf((await client.send(command)).AssociationId, 'AssociateRouteTable');
  },
});
