import type { Ec2Network } from '../../../../shared/providers/aws/api/ec2-network.ts';
import type { ExtraAction, VpcNumbers } from '../../../../shared/providers/aws/network/model-gateways.ts';

type ExtraPerformers = {
  [T in ExtraAction['type']]: {
    reason: string;
    call: (ec2: Ec2Network, action: Extract<ExtraAction, { type: T }>) => Promise<unknown>;
    tell: (action: Extract<ExtraAction, { type: T }>, id: string) => string;
  };
};

/** `with the range 10.0.0.0/16 and an IPv6 block of Amazon's`. */
export const describeNumbers = ({ cidrBlock, ipamPool, ipv6 }: VpcNumbers): string => {
  const first = ipamPool ? `a /${ipamPool.netmaskLength} of IPAM pool ${ipamPool.id}` : `the range ${cidrBlock}`;
  if (ipv6 === undefined) return `with ${first}`;
  if (ipv6 === 'amazon') return `with ${first} and an IPv6 block of Amazon's`;
  const second = 'cidrBlock' in ipv6 ? ipv6.cidrBlock : `a /${ipv6.ipamPool.netmaskLength} of ${ipv6.ipamPool.id}`;
  return `with ${first} and ${second}`;
};

const list = (ids: readonly string[]): string => (ids.length > 0 ? ids.join(', ') : 'none');

/** One call for each action on what only some networks have. Reasons are upstream's, where it has any. */
export const EXTRA_PERFORMERS: ExtraPerformers = {
  AssociateVpcBlock: {
    reason: 'AssociateSecondaryCidr',
    call: (ec2, { vpcId, cidrBlock }) => ec2.associateVpcBlock({ vpcId, cidrBlock }),
    tell: ({ vpcId, cidrBlock }) => `Associated the block ${cidrBlock} with VPC ${vpcId}`,
  },
  DisassociateVpcBlock: {
    reason: 'DisassociateSecondaryCidr',
    call: (ec2, { associationId }) => ec2.disassociateVpcBlock(associationId),
    tell: ({ vpcId, cidrBlock }) => `Took the block ${cidrBlock} away from VPC ${vpcId}`,
  },
  SetSubnetAttribute: {
    reason: 'ModifySubnetAttributes',
    call: (ec2, { subnetId, attribute }) => ec2.setSubnetAttribute({ subnetId, attribute }),
    tell: ({ subnetId, attribute }) => `Switched on ${attribute} of subnet ${subnetId}`,
  },
  SetSubnetHostnames: {
    reason: 'ModifySubnetAttributes',
    call: (ec2, { subnetId, hostnameType }) => ec2.setSubnetHostnames({ subnetId, hostnameType }),
    tell: ({ subnetId, hostnameType }) => `Instances in subnet ${subnetId} get host names of type ${hostnameType}`,
  },
  CreateEgressOnlyInternetGateway: {
    reason: 'CreateEgressOnlyInternetGateway',
    call: (ec2, { vpcId, tags }) => ec2.createEgressOnlyInternetGateway({ vpcId, tags }),
    tell: ({ vpcId }, id) => `Created egress-only internet gateway ${id} of VPC ${vpcId}`,
  },
  DeleteEgressOnlyInternetGateway: {
    reason: 'DeleteEgressOnlyInternetGateway',
    call: (ec2, { gatewayId }) => ec2.deleteEgressOnlyInternetGateway(gatewayId),
    tell: ({ gatewayId }) => `Deleted egress-only internet gateway ${gatewayId}`,
  },
  CreateCarrierGateway: {
    reason: 'CreateCarrierGateway',
    call: (ec2, { vpcId, tags }) => ec2.createCarrierGateway({ vpcId, tags }),
    tell: ({ vpcId }, id) => `Created carrier gateway ${id} of VPC ${vpcId}`,
  },
  DeleteCarrierGateway: {
    reason: 'DeleteCarrierGateway',
    call: (ec2, { gatewayId }) => ec2.deleteCarrierGateway(gatewayId),
    tell: ({ gatewayId }) => `Deleted carrier gateway ${gatewayId}`,
  },
  CreateVpcEndpoint: {
    reason: 'CreateVPCEndpoint',
    call: (ec2, { vpcId, serviceName, routeTableIds, tags }) =>
      ec2.createVpcEndpoint({ vpcId, serviceName, routeTableIds, tags }),
    tell: ({ serviceName, vpcId }, id) => `Created endpoint ${id} of ${serviceName} in VPC ${vpcId}`,
  },
  ModifyVpcEndpoint: {
    reason: 'ModifyVPCEndpoint',
    call: (ec2, { endpointId, add, remove }) => ec2.modifyVpcEndpoint({ id: endpointId, add, remove }),
    tell: ({ endpointId, add, remove }) =>
      `Changed the route tables of endpoint ${endpointId}: added ${list(add)}, removed ${list(remove)}`,
  },
  DeleteVpcEndpoint: {
    reason: 'DeleteVPCEndpoint',
    call: (ec2, { endpointId }) => ec2.deleteVpcEndpoint(endpointId),
    tell: ({ endpointId }) => `Deleted endpoint ${endpointId}`,
  },
  SetIpv6Route: {
    reason: 'CreateRoute',
    call: (ec2, { routeTableId, destination, target, replaces }) =>
      replaces
        ? ec2.replaceRoute({ routeTableId, destination, target })
        : ec2.createRoute({ routeTableId, destination, target }),
    tell: ({ routeTableId, destination, target }) =>
      `The route for ${destination} of route table ${routeTableId} leads to ${target}`,
  },
  EmptyDefaultSecurityGroup: {
    reason: 'RevokeSecurityGroupIngressRules',
    call: (ec2, { groupId }) => ec2.emptySecurityGroup(groupId),
    tell: ({ groupId }) => `Removed all rules of the VPC's default security group ${groupId}`,
  },
};
