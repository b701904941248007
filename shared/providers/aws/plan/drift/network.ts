import type { AWSCluster, Cluster } from '../../../../kinds/index.ts';
import { type DriftKind, driftPoliciesOf } from '../../../../kinds/rules/drift-policy.ts';
import type { Drift } from '../../../../plan/drift/claims.ts';
import type { DriftFacts } from '../../../../plan/drift/withhold.ts';
import type { DesiredNetwork, IngressPermission, NetworkAction } from '../../network/model.ts';
import type { Tags } from '../../tags.ts';
import { adoptRules } from './adopt-rules.ts';
import { digestOf, settledBy, type Wishes } from './settled.ts';
import { givesOwnership, ownVpcDigest } from './vpc-ownership.ts';

/** What kind of drift each action mends, when it is planned for a network that was complete. */
const KINDS: Readonly<Record<NetworkAction['type'], DriftKind>> = {
  CreateVpc: 'Network',
  SetVpcAttribute: 'Network',
  CreateTags: 'Tags',
  DeleteTags: 'Tags',
  CreateSubnet: 'Network',
  MapPublicIpOnLaunch: 'Network',
  CreateInternetGateway: 'Network',
  AttachInternetGateway: 'Network',
  CreateRouteTable: 'Route',
  AssociateRouteTable: 'Route',
  SetDefaultRoute: 'Route',
  CreateSecurityGroup: 'SecurityGroup',
  AuthorizeIngress: 'SecurityGroupRules',
  RevokeIngress: 'SecurityGroupRules',
  RevokeEgressToGroups: 'SecurityGroupRules',
  AllocateAddress: 'NatGateway',
  CreateNatGateway: 'NatGateway',
  TerminateBastion: 'Network',
  DeleteVpc: 'Network',
  DeleteSubnet: 'Network',
  DetachInternetGateway: 'Network',
  DeleteInternetGateway: 'Network',
  DisassociateRouteTable: 'Route',
  DeleteRouteTable: 'Route',
  DeleteSecurityGroup: 'SecurityGroup',
  DeleteNatGateway: 'NatGateway',
  ReleaseAddress: 'NatGateway',
  AssociateVpcBlock: 'Network',
  DisassociateVpcBlock: 'Network',
  SetSubnetAttribute: 'Network',
  SetSubnetHostnames: 'Network',
  CreateEgressOnlyInternetGateway: 'Network',
  DeleteEgressOnlyInternetGateway: 'Network',
  CreateCarrierGateway: 'Network',
  DeleteCarrierGateway: 'Network',
  CreateVpcEndpoint: 'Network',
  ModifyVpcEndpoint: 'Route',
  DeleteVpcEndpoint: 'Network',
  SetIpv6Route: 'Route',
  EmptyDefaultSecurityGroup: 'SecurityGroupRules',
};

export const driftKindOfNetwork = (action: NetworkAction): DriftKind =>
  givesOwnership(action) ? 'VpcOwnership' : KINDS[action.type];

const ports = ({ fromPort, toPort }: IngressPermission): string =>
  fromPort === undefined || fromPort < 0 ? '' : ` ${fromPort === toPort ? fromPort : `${fromPort}-${toPort}`}`;

const rules = (permissions: readonly IngressPermission[]): string =>
  permissions.map((rule) => `${rule.protocol}${ports(rule)} from ${rule.source}`).join(', ');

const keys = ({ tags }: { tags: Tags }): string => Object.keys(tags).join(', ');

const whatIsMissing = (action: NetworkAction): string => {
  const name = 'tags' in action ? action.tags.Name : undefined;
  const noun = action.type.replace(/^(Create|Allocate|Attach|Associate|Set)/, '').replace(/(?<=[a-z])(?=[A-Z])/g, ' ');
  return `${noun} ${name ?? ''}`.trim();
};

/** What somebody has changed, by the action that would mend it, as a sentence without its end. */
export const describeNetworkDrift = (action: NetworkAction): string => {
  switch (action.type) {
    case 'RevokeIngress':
      return `security group ${action.groupId} admits what was not asked for: ${rules(action.permissions)}`;
    case 'AuthorizeIngress':
      return `security group ${action.groupId} lacks rules: ${rules(action.permissions)}`;
    case 'CreateTags':
      if (givesOwnership(action))
        return `VPC ${action.resourceId} lacks the tags that say whose it is: ${keys(action)}`;
      return `${action.resourceId} lacks tags or has others: ${keys(action)}`;
    case 'SetDefaultRoute':
      return `the default route of route table ${action.routeTableId} does not lead to ${action.target}`;
    case 'SetIpv6Route':
      return `the route for ${action.destination} of route table ${action.routeTableId} does not lead to ${action.target}`;
    case 'AssociateRouteTable':
      return `subnet ${action.subnetId} does not have route table ${action.routeTableId}`;
    case 'SetVpcAttribute':
      return `${action.attribute} of VPC ${action.vpcId} was switched off`;
    case 'MapPublicIpOnLaunch':
      return `subnet ${action.subnetId} gives no public addresses any more`;
    case 'CreateNatGateway':
      return `subnet ${action.subnetId} has no NAT gateway any more`;
    case 'AttachInternetGateway':
      return `internet gateway ${action.internetGatewayId} is not attached to VPC ${action.vpcId}`;
    default:
      return `there is no ${whatIsMissing(action)} any more`;
  }
};

/** A digest of what each part of a network is asked to be. Ids that were recorded meanwhile are no wishes. */
export const networkWishes = (desired: DesiredNetwork): Wishes => {
  const { cluster: _cluster, clusterUid: _uid, securityGroups, natGatewayTags, addressTags, vpc, ...others } = desired;
  const { recordedId, ...vpcWishes } = vpc;
  const subnets = others.subnets.map(({ specId: _specId, resourceId: _resourceId, ...subnet }) => subnet);
  return {
    vpc: ownVpcDigest(recordedId),
    network: digestOf({ ...others, vpc: vpcWishes, subnets }),
    securityGroups: digestOf(securityGroups),
    natGateways: digestOf({ natGatewayTags, addressTags, subnets: subnets.map(({ key }) => key) }),
  };
};

/** The steps that make a network. */
export type NetworkPart = 'network' | 'natGateways';

/** Security groups are planned by both steps and reported by the one that makes them. */
export const isReportedBy =
  (part: NetworkPart) =>
  ({ kind }: Drift): boolean =>
    part === 'network' || !kind.startsWith('SecurityGroup');

/** By what the plan of one of the steps is held to the cluster's policies. */
export const networkDriftFacts = (
  desired: DesiredNetwork,
  part: NetworkPart,
  { cluster, awsCluster }: { cluster: Cluster; awsCluster: AWSCluster },
): DriftFacts<NetworkAction> => ({
  kindOf: driftKindOfNetwork,
  describe: describeNetworkDrift,
  policies: driftPoliciesOf(cluster),
  isSettled: settledBy(awsCluster, networkWishes(desired), part),
  adopt: (action) => adoptRules(action, awsCluster),
});
