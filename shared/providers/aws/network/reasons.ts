/**
 * The calls to EC2 for a network, in words that follow "to". The keys follow `Successful` or `Failed` in the reason of
 * the event, and are upstream's, where it has them (CAPA pkg/cloud/services/network and securitygroup).
 */
export const NETWORK_CALLS = {
  CreateVPC: 'create the VPC',
  SetVPCAttributes: "change an attribute of the VPC's DNS",
  DeleteVPC: 'delete the VPC',
  AssociateSecondaryCidr: 'add a CIDR block to the VPC',
  DisassociateSecondaryCidr: 'remove a CIDR block from the VPC',
  CreateSubnet: 'create a subnet',
  ModifySubnetAttributes: 'change an attribute of a subnet',
  DeleteSubnet: 'delete a subnet',
  CreateInternetGateway: 'create the internet gateway',
  AttachInternetGateway: 'attach the internet gateway to the VPC',
  DetachInternetGateway: 'detach an internet gateway from the VPC',
  DeleteInternetGateway: 'delete an internet gateway',
  CreateEgressOnlyInternetGateway: 'create the egress-only internet gateway',
  DeleteEgressOnlyInternetGateway: 'delete an egress-only internet gateway',
  CreateCarrierGateway: 'create the carrier gateway',
  DeleteCarrierGateway: 'delete a carrier gateway',
  CreateRouteTable: 'create a route table',
  AssociateRouteTable: 'associate a route table with a subnet',
  CreateRoute: 'create or replace a route',
  DisassociateRouteTable: 'end the association of a route table',
  DeleteRouteTable: 'delete a route table',
  AllocateEIP: 'allocate an Elastic IP address',
  ReleaseEIP: 'release an Elastic IP address',
  CreateNATGateway: 'create a NAT gateway',
  DeleteNATGateway: 'delete a NAT gateway',
  CreateSecurityGroup: 'create a security group',
  AuthorizeSecurityGroupIngressRules: 'add ingress rules to a security group',
  RevokeSecurityGroupIngressRules: 'remove ingress rules from a security group',
  RevokeSecurityGroupEgressRules: 'remove egress rules from a security group',
  DeleteSecurityGroup: 'delete a security group',
  CreateVPCEndpoint: 'create a VPC endpoint',
  ModifyVPCEndpoint: 'change a VPC endpoint',
  DeleteVPCEndpoint: 'delete a VPC endpoint',
  TerminateBastion: 'terminate a bastion',
  TagResource: 'set tags of a resource of the network',
  DeleteTags: 'remove tags from a resource of the network',
} as const;

export type NetworkCall = keyof typeof NETWORK_CALLS;

/**
 * Upstream's reasons in the AWSCluster's conditions (CAPA api/v1beta2 conditions_consts), with the part that has
 * failed.
 */
export const NETWORK_FAILURES = {
  VpcReconciliationFailed: 'The VPC',
  SecondaryCidrReconciliationFailed: 'A further CIDR block',
  SubnetsReconciliationFailed: 'The subnets',
  InternetGatewayFailed: 'The internet gateway',
  EgressOnlyInternetGatewayFailed: 'The egress-only internet gateway',
  CarrierGatewayFailed: 'The carrier gateway',
  VpcEndpointsReconciliationFailed: 'The VPC endpoints',
  RouteTableReconciliationFailed: 'The route tables',
  NatGatewaysReconciliationFailed: 'The NAT gateways',
  SecurityGroupReconciliationFailed: 'The security groups',
} as const;

export type NetworkFailure = keyof typeof NETWORK_FAILURES;
