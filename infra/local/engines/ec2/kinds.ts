/** The resources of EC2: the prefixes of their ids and AWS's messages for missing ones. */
import type { ResourceType } from '@aws-sdk/client-ec2';
import { AwsFault } from '../wire/fault.ts';

export interface Kind {
  readonly prefix: string;
  readonly type: ResourceType;
  readonly notFound: (ids: string) => AwsFault;
  /** Undefined if AWS reports a malformed id as a missing one. */
  readonly malformed?: string;
}

const fault = (code: string, wording: (ids: string) => string) => (ids: string) => new AwsFault(code, wording(ids));

export const KINDS = {
  vpc: {
    prefix: 'vpc',
    type: 'vpc',
    notFound: fault('InvalidVpcID.NotFound', (id) => `The vpc ID '${id}' does not exist`),
  },
  dhcpOptions: {
    prefix: 'dopt',
    type: 'dhcp-options',
    notFound: fault('InvalidDhcpOptionID.NotFound', (id) => `The dhcpOption ID '${id}' does not exist`),
  },
  subnet: {
    prefix: 'subnet',
    type: 'subnet',
    notFound: fault('InvalidSubnetID.NotFound', (id) => `The subnet ID '${id}' does not exist`),
  },
  internetGateway: {
    prefix: 'igw',
    type: 'internet-gateway',
    notFound: fault('InvalidInternetGatewayID.NotFound', (id) => `The internetGateway ID '${id}' does not exist`),
  },
  egressOnlyGateway: {
    prefix: 'eigw',
    type: 'egress-only-internet-gateway',
    notFound: fault(
      'InvalidEgressOnlyInternetGatewayID.NotFound',
      (id) => `The egress only internet gateway ID '${id}' does not exist`,
    ),
  },
  carrierGateway: {
    prefix: 'cagw',
    type: 'carrier-gateway',
    notFound: fault('InvalidCarrierGatewayID.NotFound', (id) => `The carrierGateway ID '${id}' does not exist`),
  },
  vpcEndpoint: {
    prefix: 'vpce',
    type: 'vpc-endpoint',
    notFound: fault('InvalidVpcEndpointId.NotFound', (id) => `The Vpc Endpoint Id '${id}' does not exist`),
  },
  natGateway: {
    prefix: 'nat',
    type: 'natgateway',
    notFound: fault('NatGatewayNotFound', (id) => `The Nat Gateway ${id} was not found`),
    malformed: 'NatGatewayMalformed',
  },
  address: {
    prefix: 'eipalloc',
    type: 'elastic-ip',
    notFound: fault('InvalidAllocationID.NotFound', (id) => `The allocation ID '${id}' does not exist`),
  },
  routeTable: {
    prefix: 'rtb',
    type: 'route-table',
    notFound: fault('InvalidRouteTableID.NotFound', (id) => `The routeTable ID '${id}' does not exist`),
    malformed: 'InvalidRouteTableId.Malformed',
  },
  securityGroup: {
    prefix: 'sg',
    type: 'security-group',
    notFound: fault('InvalidGroup.NotFound', (id) => `The security group '${id}' does not exist`),
    malformed: 'InvalidGroupId.Malformed',
  },
  securityGroupRule: {
    prefix: 'sgr',
    type: 'security-group-rule',
    notFound: fault('InvalidSecurityGroupRuleId.NotFound', (id) => `The security group rule ID '${id}' does not exist`),
  },
  instance: {
    prefix: 'i',
    type: 'instance',
    notFound: fault('InvalidInstanceID.NotFound', (ids) =>
      ids.includes(',') ? `The instance IDs '${ids}' do not exist` : `The instance ID '${ids}' does not exist`,
    ),
    malformed: 'InvalidInstanceID.Malformed',
  },
  networkInterface: {
    prefix: 'eni',
    type: 'network-interface',
    notFound: fault('InvalidNetworkInterfaceID.NotFound', (id) => `The networkInterface ID '${id}' does not exist`),
  },
  volume: {
    prefix: 'vol',
    type: 'volume',
    notFound: fault('InvalidVolume.NotFound', (id) => `The volume '${id}' does not exist.`),
  },
  dedicatedHost: {
    prefix: 'h',
    type: 'dedicated-host',
    notFound: fault('InvalidHostID.NotFound', (id) => `The Dedicated Host ID '${id}' does not exist`),
  },
  launchTemplate: {
    prefix: 'lt',
    type: 'launch-template',
    notFound: fault(
      'InvalidLaunchTemplateId.NotFound',
      (id) => `The specified launch template, with template ID ${id}, does not exist.`,
    ),
    malformed: 'InvalidLaunchTemplateId.Malformed',
  },
  image: {
    prefix: 'ami',
    type: 'image',
    notFound: fault('InvalidAMIID.NotFound', (id) => `The image id '[${id}]' does not exist`),
    malformed: 'InvalidAMIID.Malformed',
  },
  keyPair: {
    prefix: 'key',
    type: 'key-pair',
    notFound: fault('InvalidKeyPair.NotFound', (id) => `The key pair '${id}' does not exist`),
  },
} as const satisfies Record<string, Kind>;

/** Throws the Malformed fault of the kind if an id cannot be one of its ids. */
export const checkForm = (kind: Kind, id: string): void => {
  if (!kind.malformed || new RegExp(`^${kind.prefix}-([0-9a-f]{8}|[0-9a-f]{17})$`).test(id)) return;
  throw new AwsFault(kind.malformed, `Invalid id: "${id}" (expecting "${kind.prefix}-...")`);
};
