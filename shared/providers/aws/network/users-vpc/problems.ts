import type { DesiredNetwork, ObservedNetwork } from '../model.ts';
import { lackingBlocks } from '../secondary-blocks/plan.ts';
import type { ObservedVpc } from '../vpc/model.ts';
import { type DiscoveredSubnet, defaultTarget, isPublicSubnet, leadsToInternet } from './discover.ts';

/** The errors in a user's VPC. Only its owner can correct them, so each sentence contains the field and the id. */

/** With more names, a condition would be hard to read. */
const MAX_NAMED = 12;

const listed = (texts: readonly string[]): string => {
  const rest = texts.length - MAX_NAMED;
  return [...texts.slice(0, MAX_NAMED), ...(rest > 0 ? [`${rest} more`] : [])].join(', ');
};

const noSubnets = (observed: ObservedNetwork, vpc: ObservedVpc): string => {
  const there = observed.subnets.filter(({ vpcId }) => vpcId === vpc.id);
  const known = there.map(({ id, zone, cidrBlock }) => `${id} (${zone}, ${cidrBlock})`);
  const has = known.length > 0 ? `it has ${listed(known)}` : 'it has none';
  return `spec.network.subnets is empty: VPC ${vpc.id} is not the cluster's own, so the subnets to use have to be listed; ${has}`;
};

const absence = ({ subnet, field }: DiscoveredSubnet, observed: ObservedNetwork, vpc: ObservedVpc): string => {
  const id = subnet.resourceId ?? subnet.specId;
  const elsewhere = observed.subnets.find((one) => one.id === id);
  if (elsewhere) return `${field} names subnet ${id}, which is in VPC ${elsewhere.vpcId} and not in ${vpc.id}`;
  const range = subnet.cidrBlock ? ` (${subnet.cidrBlock})` : '';
  return `${field} names subnet ${id}${range}, which VPC ${vpc.id} does not have; none is created in a VPC that is not the cluster's own`;
};

const mismatches = (one: DiscoveredSubnet): string[] => {
  const { subnet, field, found, table } = one;
  if (!found) return [];
  const { zone, cidrBlock, isPublic } = subnet;
  // Once the subnet is recorded, EC2's data apply.
  const isCutOff = (isPublic || isPublicSubnet(one)) && subnet.resourceId === undefined && !leadsToInternet(table);
  return [
    ...(zone && zone !== found.zone
      ? [`${field}.availabilityZone is ${zone}, but subnet ${found.id} is in ${found.zone}`]
      : []),
    ...(cidrBlock && cidrBlock !== found.cidrBlock
      ? [`${field}.cidrBlock is ${cidrBlock}, but subnet ${found.id} has ${found.cidrBlock}`]
      : []),
    ...(isCutOff
      ? [
          `${field} is public, but route table ${table?.id} of subnet ${found.id} has no working route to an internet gateway`,
        ]
      : []),
  ];
};

/** The API's load balancer needs a subnet; an internal one is placed in public ones if there are no others. */
const noPlaceForLoadBalancer = (desired: DesiredNetwork, discovered: readonly DiscoveredSubnet[]): string[] => {
  if (desired.loadBalancerSubnets !== 'public' || discovered.some(isPublicSubnet)) return [];
  return [
    'spec.network.subnets has no public subnet, which spec.controlPlaneLoadBalancer.scheme internet-facing needs, and spec.controlPlaneLoadBalancer.subnets names none',
  ];
};

/** Blocks of the spec that the VPC lacks; nothing is changed in a VPC that is not the cluster's own. */
export const blockWarnings = (desired: DesiredNetwork, vpc: ObservedVpc): string[] => {
  const lacking = lackingBlocks(desired, vpc);
  if (lacking.length === 0) return [];
  return [
    `spec.network.vpc.secondaryCidrBlocks names ${listed(lacking)}, which VPC ${vpc.id} does not have: associate the block with the VPC or remove it from the list`,
  ];
};

/** What must be corrected before anything can be created in the VPC: the first error, in the order of the spec. */
export const unmanagedProblem = (
  desired: DesiredNetwork,
  observed: ObservedNetwork,
  vpc: ObservedVpc,
  discovered: readonly DiscoveredSubnet[],
): string | undefined => {
  if (discovered.length === 0) return noSubnets(observed, vpc);
  const missing = discovered.filter(({ found }) => !found).map((one) => absence(one, observed, vpc));
  const problems = [...missing, ...discovered.flatMap(mismatches)];
  const rest = problems.length > 0 ? [] : noPlaceForLoadBalancer(desired, discovered);
  return [...problems, ...rest].slice(0, MAX_NAMED).join('; ') || undefined;
};

/** Warnings about settings that may be intended but are more often mistakes. */
export const unmanagedWarnings = (discovered: readonly DiscoveredSubnet[]): string[] => {
  const privates = discovered.filter((one) => one.found && !isPublicSubnet(one));
  const stuck = privates.filter(({ table }) => defaultTarget(table) === undefined);
  return [
    ...(privates.length === 0
      ? ['spec.network.subnets has no private subnet: only machines with publicIP can be launched']
      : []),
    ...stuck.map(
      ({ field, found, table }) =>
        `${field}: route table ${table?.id} of private subnet ${found?.id} has no default route, so machines in it need endpoints or a proxy to reach AWS and images`,
    ),
  ];
};
