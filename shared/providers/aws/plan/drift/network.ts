import type { AWSCluster, Cluster } from '../../../../kinds/index.ts';
import { type DriftKind, driftPoliciesOf } from '../../../../kinds/rules/drift-policy.ts';
import type { Drift } from '../../../../plan/drift/claims.ts';
import { operationOf } from '../../network/drivers.ts';
import type { DesiredNetwork, NetworkAction } from '../../network/model.ts';
import type { Tags } from '../../tags.ts';
import { adoptRules } from './adopt-rules.ts';
import { digestOf, settledBy, type Wishes } from './settled.ts';
import { givesOwnership, ownVpcDigest } from './vpc-ownership.ts';
import type { DriftFacts } from './withhold.ts';

/** The kind of drift that an action repairs, if it is planned for a network that was complete. */
export const driftKindOfNetwork = (action: NetworkAction): DriftKind =>
  givesOwnership(action) ? 'VpcOwnership' : operationOf(action).drift;

const keys = ({ tags }: { tags: Tags }): string => Object.keys(tags).join(', ');

const whatIsMissing = (action: NetworkAction): string => {
  const name = 'tags' in action ? action.tags.Name : undefined;
  const noun = action.type.replace(/^(Create|Allocate|Attach|Associate|Set)/, '').replace(/(?<=[a-z])(?=[A-Z])/g, ' ');
  return `${noun} ${name ?? ''}`.trim();
};

/** A sentence, without its full stop, about the change by others that the action would repair. */
export const describeNetworkDrift = (action: NetworkAction): string => {
  if (action.type === 'CreateTags' && givesOwnership(action))
    return `VPC ${action.resourceId} lacks its ownership tags: ${keys(action)}`;
  return operationOf(action).drifted?.(action) ?? `there is no ${whatIsMissing(action)} any more`;
};

/** A digest of the desired state of each part of a network, without ids that were recorded in the meantime. */
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

/** Security groups are planned by both steps and reported by the one that creates them. */
export const isReportedBy =
  (part: NetworkPart) =>
  ({ kind }: Drift): boolean =>
    part === 'network' || !kind.startsWith('SecurityGroup');

/** How the cluster's policies apply to the plan of one of the steps. */
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
