import { isDeepStrictEqual } from 'node:util';
import type { AWSCluster } from '../../shared/kinds/index.ts';
import { isExternallyManaged } from '../../shared/plan/status/managed-by.ts';
import { desiredNetwork } from '../../shared/providers/aws/network/desired.ts';
import type { DesiredNetwork } from '../../shared/providers/aws/network/model.ts';
import type { DesiredSecurityGroup } from '../../shared/providers/aws/network/security-groups/model.ts';
import { isSubnetId } from '../../shared/providers/aws/network/subnets/kinds.ts';
import type { DesiredSubnet } from '../../shared/providers/aws/network/subnets/model.ts';
import type { Change } from './reads.ts';
import { count, some } from './words.ts';
import type { World } from './world.ts';

type Rule = DesiredSecurityGroup['ingress'][number];

const ruleText = ({ protocol, fromPort, toPort, source }: Rule): string => {
  const from = typeof source === 'string' ? source : source.role;
  const ports = fromPort === undefined ? '' : ` ${fromPort === toPort ? fromPort : `${fromPort}-${toPort}`}`;
  return `${protocol}${ports} from ${from}`;
};

const desiredOf = ({ snapshot }: World, { spec }: AWSCluster): DesiredNetwork => {
  const { cluster } = snapshot;
  const { name, namespace = '', uid = '' } = cluster.metadata;
  const apiServerPort = cluster.spec.clusterNetwork?.apiServerPort;
  // Which NAT gateways there are only AWS knows; their rules are the same before and after.
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

/** A subnet with an id of EC2's is there already: nothing is made, whatever else its entry says. */
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
  isDeepStrictEqual(before.vpc.tags, after.vpc.tags) ? [] : ['tags of the VPC and of what is in it change'];

const creationNotes = ({ spec }: AWSCluster): string[] => {
  const { vpc, subnets = [] } = spec.network ?? {};
  if (vpc?.id) {
    const used = `uses VPC ${vpc.id} and ${count(subnets.length, 'subnet')} of it as they are`;
    return [`${used}, and makes security groups and a load balancer in it`];
  }
  const layout =
    subnets.length > 0
      ? count(subnets.length, 'subnet')
      : `a public and a private subnet in up to ${count(vpc?.availabilityZoneUsageLimit ?? 3, 'availability zone')}`;
  return [
    `makes VPC ${vpc?.cidrBlock ?? '10.0.0.0/16'} with ${layout}, an internet gateway, NAT gateways, route tables, security groups and a load balancer`,
  ];
};

/** What a change of an AWSCluster does to the network. */
export const networkNotes = ({ resource, object }: Change, before: World | undefined, after: World): string[] => {
  if (resource.kind !== 'AWSCluster' || object.metadata.deletionTimestamp) return [];
  const infrastructure = object as AWSCluster;
  if (isExternallyManaged(infrastructure))
    return ['another system manages the infrastructure: nothing is made or changed'];
  const was = before?.snapshot.infrastructure;
  if (!was || !before) return creationNotes(infrastructure);
  const [old, next] = [desiredOf(before, was), desiredOf(after, infrastructure)];
  return [...subnetNotes(old, next), ...groupNotes(old, next), ...tagNotes(old, next)];
};
