import type { LegacyCondition } from '../../../kinds/schema/meta.ts';
import type { LegacyClaim } from '../../../plan/status/legacy-conditions.ts';
import type { DesiredNetwork, NetworkAction, NetworkCondition, ObservedNetwork } from './model.ts';

/** The AWSCluster's conditions, with upstream's types and reasons (CAPA api/v1beta2 conditions_consts). */

const FAILED: Readonly<Record<NetworkCondition, string>> = {
  VpcReady: 'VpcReconciliationFailed',
  SubnetsReady: 'SubnetsReconciliationFailed',
  InternetGatewayReady: 'InternetGatewayFailed',
  RouteTablesReady: 'RouteTableReconciliationFailed',
  ClusterSecurityGroupsReady: 'SecurityGroupReconciliationFailed',
  NatGatewaysReady: 'NatGatewaysReconciliationFailed',
  SecondaryCidrsReady: 'SecondaryCidrReconciliationFailed',
  EgressOnlyInternetGatewayReady: 'EgressOnlyInternetGatewayFailed',
  CarrierGatewayReady: 'CarrierGatewayFailed',
  VpcEndpointsReady: 'VpcEndpointsReconciliationFailed',
};

const OF_KIND = {
  vpc: 'VpcReady',
  subnet: 'SubnetsReady',
  internetGateway: 'InternetGatewayReady',
  routeTable: 'RouteTablesReady',
  securityGroup: 'ClusterSecurityGroupsReady',
  natGateway: 'NatGatewaysReady',
  egressOnlyGateway: 'EgressOnlyInternetGatewayReady',
  carrierGateway: 'CarrierGatewayReady',
  endpoint: 'VpcEndpointsReady',
} as const;

const PATTERNS: readonly [RegExp, NetworkCondition][] = [
  [/VpcBlock/, 'SecondaryCidrsReady'],
  [/VpcEndpoint/, 'VpcEndpointsReady'],
  [/EgressOnly/, 'EgressOnlyInternetGatewayReady'],
  [/CarrierGateway/, 'CarrierGatewayReady'],
  [/Vpc/, 'VpcReady'],
  [/RouteTable/, 'RouteTablesReady'],
  [/InternetGateway/, 'InternetGatewayReady'],
  [/NatGateway|Address/, 'NatGatewaysReady'],
  [/SecurityGroup|gress/, 'ClusterSecurityGroupsReady'],
  [/Subnet|MapPublicIp/, 'SubnetsReady'],
];

/** The condition that an action belongs to. */
export const conditionOf = (action: NetworkAction): NetworkCondition => {
  if (action.type === 'CreateTags') return OF_KIND[action.kind];
  if (action.type === 'DeleteTags') return 'SubnetsReady';
  if (action.type === 'TerminateBastion') return 'VpcReady';
  if (action.type === 'SetDefaultRoute' || action.type === 'SetIpv6Route') {
    return action.target.startsWith('nat-') ? 'NatGatewaysReady' : 'RouteTablesReady';
  }
  return PATTERNS.find(([pattern]) => pattern.test(action.type))?.[1] ?? 'VpcReady';
};

/** The conditions of the network step; the NAT gateways' is its own step's. */
const NETWORK_CONDITIONS = [
  'VpcReady',
  'SubnetsReady',
  'InternetGatewayReady',
  'RouteTablesReady',
  'ClusterSecurityGroupsReady',
] as const satisfies readonly NetworkCondition[];

/** Those of a cluster: some speak of what only some clusters have. */
export const networkConditions = (desired: DesiredNetwork): NetworkCondition[] => [
  ...NETWORK_CONDITIONS,
  ...(desired.secondaryBlocks.length > 0 ? ['SecondaryCidrsReady' as const] : []),
  ...(desired.egressOnlyGatewayTags ? ['EgressOnlyInternetGatewayReady' as const] : []),
  ...(desired.carrierGatewayTags ? ['CarrierGatewayReady' as const] : []),
  ...(desired.endpoint ? ['VpcEndpointsReady' as const] : []),
];

export const readyClaim = (type: string): LegacyClaim => ({ type, status: 'True' });

/** Claims that something failed and only a person or another account can help. */
export const failedClaim = (type: NetworkCondition, message: string): LegacyClaim => ({
  type,
  status: 'False',
  severity: 'Error',
  reason: FAILED[type],
  message,
});

const pending = (type: string, reason: string, message: string): LegacyClaim => ({
  type,
  status: 'False',
  severity: 'Info',
  reason,
  message,
});

const WAITS = 'Waiting for the VPC and its subnets';

/** What has not been looked at yet, so that the summary is not Ready before everything is. */
export const PENDING_CLAIMS: readonly LegacyClaim[] = [
  pending('VpcReady', 'VpcCreationStarted', 'The VPC is not made yet'),
  pending('NatGatewaysReady', 'NatGatewaysCreationStarted', WAITS),
  pending('LoadBalancerReady', 'WaitForDNSName', WAITS),
];

const STARTED: readonly LegacyClaim[] = [
  pending('NatGatewaysReady', 'NatGatewaysCreationStarted', 'The NAT gateways are being made'),
  pending('LoadBalancerReady', 'WaitForDNSName', 'The load balancer is being made'),
];

/** What waits for the network, once the network is there: it is being made from then on. */
export const startedClaims = (conditions: readonly LegacyCondition[] | undefined): readonly LegacyClaim[] =>
  STARTED.filter(({ type }) => conditions?.some((one) => one.type === type && one.message === WAITS));

/** A deletion that is blocked for so long has failed, as far as a person is concerned; it is tried on all the same. */
export const DELETION_PATIENCE_SECONDS = 900;

const secondaryBlocks = ({ vpcs }: ObservedNetwork): readonly unknown[] | undefined => {
  const blocks = vpcs.flatMap(({ secondary = [] }) => secondary);
  return blocks.length > 0 ? blocks : undefined;
};

/** Of what only some clusters have: nothing is said where nobody looked. */
const counted = (
  type: NetworkCondition,
  things: readonly unknown[] | undefined,
): Partial<Record<NetworkCondition, number>> => (things && things.length > 0 ? { [type]: things.length } : {});

const remaining = (observed: ObservedNetwork): Readonly<Partial<Record<NetworkCondition, number>>> => ({
  VpcReady: observed.vpcs.length,
  SubnetsReady: observed.subnets.length,
  InternetGatewayReady: observed.internetGateways.length,
  RouteTablesReady: observed.routeTables.filter(({ isMain }) => !isMain).length,
  ClusterSecurityGroupsReady: observed.securityGroups.filter(({ name }) => name !== 'default').length,
  NatGatewaysReady: observed.natGateways.filter(({ state }) => state !== 'deleted' && state !== 'failed').length,
  ...counted('SecondaryCidrsReady', secondaryBlocks(observed)),
  ...counted('EgressOnlyInternetGatewayReady', observed.egressOnlyGateways),
  ...counted('CarrierGatewayReady', observed.carrierGateways),
  ...counted('VpcEndpointsReady', observed.endpoints),
});

/** What a deletion has to say: what is gone, what is going, and what stands in the way. */
export const deletionClaims = (
  observed: ObservedNetwork,
  blockers: readonly string[],
  isOverdue: boolean,
): LegacyClaim[] => {
  const counts = Object.entries(remaining(observed));
  // What stands in the way when the network is gone, such as a volume in use, is said in the first place to look at.
  const isAfter = blockers.length > 0 && counts.every(([, count]) => count === 0);
  return counts.map(([type, count]): LegacyClaim => {
    const base = { type, status: 'False' } as const;
    if (count === 0 && !(isAfter && type === 'VpcReady'))
      return { ...base, severity: 'Info', reason: 'Deleted', message: 'Deleted' };
    const message = blockers.length > 0 ? `Waiting for ${blockers.join('; ')}` : 'Being deleted';
    return isOverdue
      ? { ...base, severity: 'Warning', reason: 'DeletingFailed', message }
      : { ...base, severity: 'Info', reason: 'Deleting', message };
  });
};
