import type { KubeObject } from '../../../../shared/kube-api/object.ts';
import type { Ec2Network } from '../../../../shared/providers/aws/api/ec2-network.ts';
import type { NetworkAction } from '../../../../shared/providers/aws/network/model.ts';
import { DEFAULT_ROUTE } from '../../../../shared/providers/aws/network/route-tables/plan.ts';
import { INTENT_TAG, type Tags } from '../../../../shared/providers/aws/tags.ts';
import type { Actor } from '../infrastructure/act.ts';
import { COMPONENT, type NetworkDependencies } from './dependencies.ts';
import { describeNumbers, EXTRA_PERFORMERS } from './perform-extras.ts';

type Performers = {
  [T in NetworkAction['type']]: {
    /** What follows Successful or Failed in the reason of the event. */
    reason: string;
    /** A creation gives the id. */
    call: (ec2: Ec2Network, action: Extract<NetworkAction, { type: T }>) => Promise<unknown>;
    /** What was done, for the event. */
    tell: (action: Extract<NetworkAction, { type: T }>, id: string) => string;
  };
};

const nameOf = (tags: Tags): string => tags.Name ?? '';
const count = (things: readonly unknown[], noun: string) => `${things.length} ${noun}${things.length === 1 ? '' : 's'}`;

/** One call for each action. Reasons are upstream's. */
const PERFORMERS: Performers = {
  ...EXTRA_PERFORMERS,
  CreateVpc: {
    reason: 'CreateVPC',
    call: (ec2, { cidrBlock, ipamPool, ipv6, tags }) => ec2.createVpc({ cidrBlock, ipamPool, ipv6, tags }),
    tell: (action, id) => `Created VPC ${id} ${describeNumbers(action)}`,
  },
  SetVpcAttribute: {
    reason: 'SetVPCAttributes',
    call: (ec2, { vpcId, attribute }) => ec2.modifyVpcAttribute({ vpcId, attribute }),
    tell: ({ vpcId, attribute }) => `Switched on ${attribute} of VPC ${vpcId}`,
  },
  CreateTags: {
    reason: 'TagResource',
    call: (ec2, { resourceId, tags }) => ec2.createTags({ resourceId, tags }),
    tell: ({ resourceId, tags }) => `Set tags of ${resourceId}: ${Object.keys(tags).join(', ')}`,
  },
  DeleteTags: {
    reason: 'DeleteTags',
    call: (ec2, { resourceId, keys }) => ec2.deleteTags({ resourceId, keys }),
    tell: ({ resourceId, keys }) => `Removed tags of ${resourceId}: ${keys.join(', ')}`,
  },
  CreateSubnet: {
    reason: 'CreateSubnet',
    call: (ec2, { vpcId, zone, cidrBlock, ipv6CidrBlock, tags }) =>
      ec2.createSubnet({ vpcId, zone, cidrBlock, ipv6CidrBlock, tags }),
    tell: ({ zone, cidrBlock, ipv6CidrBlock }, id) =>
      `Created subnet ${id} with the range ${[cidrBlock, ipv6CidrBlock].filter(Boolean).join(' and ')} in ${zone}`,
  },
  MapPublicIpOnLaunch: {
    reason: 'ModifySubnetAttributes',
    call: (ec2, { subnetId }) => ec2.mapPublicIpOnLaunch(subnetId),
    tell: ({ subnetId }) => `Switched on public addresses in subnet ${subnetId}`,
  },
  CreateInternetGateway: {
    reason: 'CreateInternetGateway',
    call: (ec2, { tags }) => ec2.createInternetGateway(tags),
    tell: (_, id) => `Created internet gateway ${id}`,
  },
  AttachInternetGateway: {
    reason: 'AttachInternetGateway',
    call: (ec2, { internetGatewayId, vpcId }) => ec2.attachInternetGateway({ internetGatewayId, vpcId }),
    tell: ({ internetGatewayId, vpcId }) => `Attached internet gateway ${internetGatewayId} to VPC ${vpcId}`,
  },
  CreateRouteTable: {
    reason: 'CreateRouteTable',
    call: (ec2, { vpcId, tags }) => ec2.createRouteTable({ vpcId, tags }),
    tell: ({ tags }, id) => `Created route table ${id} (${nameOf(tags)})`,
  },
  AssociateRouteTable: {
    reason: 'AssociateRouteTable',
    call: (ec2, { routeTableId, subnetId }) => ec2.associateRouteTable({ routeTableId, subnetId }),
    tell: ({ routeTableId, subnetId }) => `Associated route table ${routeTableId} with subnet ${subnetId}`,
  },
  SetDefaultRoute: {
    reason: 'CreateRoute',
    call: (ec2, { routeTableId, target, replaces }) => {
      const route = { routeTableId, destination: DEFAULT_ROUTE, target };
      return replaces ? ec2.replaceRoute(route) : ec2.createRoute(route);
    },
    tell: ({ routeTableId, target }) => `The default route of route table ${routeTableId} leads to ${target}`,
  },
  CreateSecurityGroup: {
    reason: 'CreateSecurityGroup',
    call: (ec2, { vpcId, name, description, tags }) => ec2.createSecurityGroup({ vpcId, name, description, tags }),
    tell: ({ name }, id) => `Created security group ${id} (${name})`,
  },
  AuthorizeIngress: {
    reason: 'AuthorizeSecurityGroupIngressRules',
    call: (ec2, { groupId, permissions }) => ec2.authorizeIngress(groupId, permissions),
    tell: ({ groupId, permissions }) => `Added ${count(permissions, 'rule')} to security group ${groupId}`,
  },
  RevokeIngress: {
    reason: 'RevokeSecurityGroupIngressRules',
    call: (ec2, { groupId, permissions }) => ec2.revokeIngress(groupId, permissions),
    tell: ({ groupId, permissions }) => `Removed ${count(permissions, 'rule')} from security group ${groupId}`,
  },
  RevokeEgressToGroups: {
    reason: 'RevokeSecurityGroupEgressRules',
    call: (ec2, { groupId, groupIds }) => ec2.revokeEgressToGroups(groupId, groupIds),
    tell: ({ groupId, groupIds }) => `Removed the rules of security group ${groupId} that name ${groupIds.join(', ')}`,
  },
  AllocateAddress: {
    reason: 'AllocateEIP',
    call: (ec2, { tags, pool }) => ec2.allocateAddress(tags, pool),
    tell: ({ pool }, id) => `Allocated address ${id}${pool ? ` of pool ${pool}` : ''}`,
  },
  CreateNatGateway: {
    reason: 'CreateNATGateway',
    call: (ec2, { subnetId, allocationId, clientToken, tags }) =>
      ec2.createNatGateway({ subnetId, allocationId, clientToken, tags }),
    tell: ({ subnetId, allocationId }, id) => `Created NAT gateway ${id} in subnet ${subnetId} with ${allocationId}`,
  },
  TerminateBastion: {
    reason: 'TerminateBastion',
    call: (ec2, { instanceId }) => ec2.terminateBastion(instanceId),
    tell: ({ instanceId }) => `Terminated bastion instance ${instanceId}`,
  },
  DeleteVpc: {
    reason: 'DeleteVPC',
    call: (ec2, { vpcId }) => ec2.deleteVpc(vpcId),
    tell: ({ vpcId }) => `Deleted VPC ${vpcId}`,
  },
  DeleteSubnet: {
    reason: 'DeleteSubnet',
    call: (ec2, { subnetId }) => ec2.deleteSubnet(subnetId),
    tell: ({ subnetId }) => `Deleted subnet ${subnetId}`,
  },
  DetachInternetGateway: {
    reason: 'DetachInternetGateway',
    call: (ec2, { internetGatewayId, vpcId }) => ec2.detachInternetGateway({ internetGatewayId, vpcId }),
    tell: ({ internetGatewayId, vpcId }) => `Detached internet gateway ${internetGatewayId} from VPC ${vpcId}`,
  },
  DeleteInternetGateway: {
    reason: 'DeleteInternetGateway',
    call: (ec2, { internetGatewayId }) => ec2.deleteInternetGateway(internetGatewayId),
    tell: ({ internetGatewayId }) => `Deleted internet gateway ${internetGatewayId}`,
  },
  DisassociateRouteTable: {
    reason: 'DisassociateRouteTable',
    call: (ec2, { associationId }) => ec2.disassociateRouteTable(associationId),
    tell: ({ associationId }) => `Removed route table association ${associationId}`,
  },
  DeleteRouteTable: {
    reason: 'DeleteRouteTable',
    call: (ec2, { routeTableId }) => ec2.deleteRouteTable(routeTableId),
    tell: ({ routeTableId }) => `Deleted route table ${routeTableId}`,
  },
  DeleteSecurityGroup: {
    reason: 'DeleteSecurityGroup',
    call: (ec2, { groupId }) => ec2.deleteSecurityGroup(groupId),
    tell: ({ groupId }) => `Deleted security group ${groupId}`,
  },
  DeleteNatGateway: {
    reason: 'DeleteNATGateway',
    call: (ec2, { natGatewayId }) => ec2.deleteNatGateway(natGatewayId),
    tell: ({ natGatewayId }) => `Asked for the deletion of NAT gateway ${natGatewayId}`,
  },
  ReleaseAddress: {
    reason: 'ReleaseEIP',
    call: (ec2, { allocationId }) => ec2.releaseAddress(allocationId),
    tell: ({ allocationId }) => `Released address ${allocationId}`,
  },
};

const perform = async (ec2: Ec2Network, action: NetworkAction): Promise<string> => {
  // The table holds for each type the performer of that very type, which TypeScript cannot follow through the lookup.
  const { call, tell } = PERFORMERS[action.type] as Performers[NetworkAction['type']] & {
    call: (ec2: Ec2Network, action: NetworkAction) => Promise<unknown>;
    tell: (action: NetworkAction, id: string) => string;
  };
  const id = await call(ec2, action);
  return tell(action, typeof id === 'string' ? id : '');
};

/** Carries out network actions and tells of them on `regarding`. */
export const ec2Actor = (
  { objects, clock }: Pick<NetworkDependencies, 'objects' | 'clock'>,
  ec2: Ec2Network,
  regarding: KubeObject,
): Actor<NetworkAction> => ({
  perform: (action) => perform(ec2, action),
  reasonOf: (action) => PERFORMERS[action.type].reason,
  component: COMPONENT,
  regarding,
  objects,
  clock,
});

/** A creation whose resource will carry the token of its intent. */
export const withIntentTag = <T extends { tags: Tags }>(action: T, token: string): T => ({
  ...action,
  tags: { ...action.tags, [INTENT_TAG]: token },
});
