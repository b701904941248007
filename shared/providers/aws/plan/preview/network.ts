import { isDeepStrictEqual } from 'node:util';
import type { AWSCluster, Cluster } from '../../../../kinds/index.ts';
import { isExternallyManaged } from '../../../../plan/status/managed-by.ts';
import { count, some } from '../../../../plan/words.ts';
import { desiredNetwork } from '../../network/desired.ts';
import type { DesiredNetwork } from '../../network/model.ts';
import type { DesiredSecurityGroup } from '../../network/security-groups/model.ts';
import { isSubnetId } from '../../network/subnets/kinds.ts';
import type { DesiredSubnet } from '../../network/subnets/model.ts';

/** An AWSCluster with its cluster. */
interface Placed {
  cluster: Cluster;
  infrastructure: AWSCluster;
}

type Rule = DesiredSecurityGroup['ingress'][number];

const ruleText = ({ protocol, fromPort, toPort, source }: Rule): string => {
  const from = typeof source === 'string' ? source : source.role;
  const ports = fromPort === undefined ? '' : ` ${fromPort === toPort ? fromPort : `${fromPort}-${toPort}`}`;
  return `${protocol}${ports} from ${from}`;
};

const desiredOf = ({ cluster, infrastructure: { spec } }: Placed): DesiredNetwork => {
  const { name, namespace = '', uid = '' } = cluster.metadata;
  const apiServerPort = cluster.spec.clusterNetwork?.apiServerPort;
  // Only AWS knows which NAT gateways exist; their rules are the same before and after.
  return desiredNetwork({ cluster: { name, namespace }, clusterUid: uid, spec, apiServerPort, natIps: [] });
};

const beyond = (these: readonly Rule[], those: readonly Rule[]): string[] => {
  const known = new Set(those.map(ruleText));
  return [...new Set(these.map(ruleText))].filter((text) => !known.has(text));
};

const groupNotes = (before: DesiredNetwork, after: DesiredNetwork): string[] =>
  after.securityGroups.flatMap(({ role, name, ingress, isAuthoritative }) => {
    const was = before.securityGroups.find((group) => group.role === role)?.ingress ?? [];
    const [opened, closed] = [beyond(ingress, was), isAuthoritative ? beyond(was, ingress) : []];
    return [
      ...(opened.length > 0 ? [`security group ${name} lets in ${some(opened)}`] : []),
      ...(closed.length > 0 ? [`security group ${name} no longer lets in ${some(closed)}`] : []),
    ];
  });

const placeOf = ({ zone, cidrBlock }: DesiredSubnet): string => `${zone} ${cidrBlock}`;

/** A subnet with an id of EC2's form exists: nothing is created, whatever else its entry contains. */
const idInUse = ({ specId, resourceId }: DesiredSubnet): string | undefined =>
  resourceId ?? (isSubnetId(specId) ? specId : undefined);

const subnetNotes = (before: DesiredNetwork, after: DesiredNetwork): string[] => {
  const known = new Set(before.subnets.flatMap((subnet) => [subnet.specId, subnet.resourceId, placeOf(subnet)]));
  const fresh = after.subnets.filter(
    (subnet) => !known.has(subnet.specId) && !known.has(placeOf(subnet)) && !known.has(subnet.resourceId ?? ''),
  );
  const made = fresh.filter((subnet) => idInUse(subnet) === undefined).map(placeOf);
  const used = fresh.flatMap((subnet) => idInUse(subnet) ?? []);
  const as = used.length === 1 ? 'it is' : 'they are';
  return [
    ...(made.length > 0 ? [`${count(made.length, 'subnet')} more: ${some(made)}`] : []),
    ...(used.length > 0 ? [`uses ${count(used.length, 'subnet')} more as ${as}: ${some(used)}`] : []),
  ];
};

const tagNotes = (before: DesiredNetwork, after: DesiredNetwork): string[] =>
  isDeepStrictEqual(before.vpc.tags, after.vpc.tags) ? [] : ['tags of the VPC and its resources change'];

const creationNotes = ({ spec }: AWSCluster): string[] => {
  const { vpc, subnets = [] } = spec.network ?? {};
  if (vpc?.id) {
    const used = `uses VPC ${vpc.id} and ${count(subnets.length, 'subnet')} of it as they are`;
    return [`${used}, and creates security groups and a load balancer in it`];
  }
  const layout =
    subnets.length > 0
      ? count(subnets.length, 'subnet')
      : `a public and a private subnet in up to ${count(vpc?.availabilityZoneUsageLimit ?? 3, 'availability zone')}`;
  return [
    `creates VPC ${vpc?.cidrBlock ?? '10.0.0.0/16'} with ${layout}, an internet gateway, NAT gateways, route tables, security groups and a load balancer`,
  ];
};

/** What an AWSCluster creates, or how a change to it affects the network. */
export const networkNotes = (after: Placed, before: Placed | undefined): string[] => {
  if (isExternallyManaged(after.infrastructure))
    return ['another system manages the infrastructure: nothing is created or changed'];
  if (!before) return creationNotes(after.infrastructure);
  const [old, next] = [desiredOf(before), desiredOf(after)];
  return [...subnetNotes(old, next), ...groupNotes(old, next), ...tagNotes(old, next)];
};

/** What is deleted with a cluster's infrastructure, as recorded in its AWSCluster. */
export const deletionNotes = ({ spec: { network, controlPlaneEndpoint } }: AWSCluster): string[] => {
  const loadBalancer = controlPlaneEndpoint?.host;
  const vpc = network?.vpc?.id;
  const subnets = (network?.subnets ?? []).length;
  return [
    ...(loadBalancer ? [`then its load balancer is deleted (${loadBalancer})`] : []),
    ...(vpc
      ? [`then its network: VPC ${vpc} with ${count(subnets, 'subnet')}, their gateways, addresses and security groups`]
      : []),
  ];
};
