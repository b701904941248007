import { cidrOf, sizeOf } from '../../../../cidr.ts';
import type { Check } from '../../../../kinds/rules/aws/wishes.ts';
import { findPartition } from '../../../../partitions.ts';
import { MAX_USER_DATA_BYTES } from '../delivery/plan.ts';
import { type ImageQuery, imageQuery } from '../launch/image.ts';
import { isSkipped } from './gate.ts';
import { imageFindings } from './images.ts';
import type { Fact, Facts, Findings, Need, WantedMachines, WantedSubnet, Wants } from './model.ts';
import { needsOf } from './needs.ts';
import { checkServiceRole, checkVolumeKeys } from './volume-keys.ts';

/** Collects the results of the checks. */
interface Report extends Findings {
  /** The value of a fact; undefined, and reported once, if it could not be read. */
  value<T>(what: string, fact: Fact<T> | undefined): T | undefined;
}

const newReport = (): Report => {
  const missing: string[] = [];
  const unseen = new Map<string, string[]>();
  return {
    missing,
    get unseen() {
      return [...unseen].map(([reason, things]) => `${things.join(', ')} (${reason})`);
    },
    value: (what, fact) => {
      if (fact === undefined) return undefined;
      if ('value' in fact) return fact.value;
      unseen.set(fact.unknown, [...new Set([...(unseen.get(fact.unknown) ?? []), what])]);
      return undefined;
    },
  };
};

/** A cluster without its own region is in the region of the installation, in which its zones are. */
const regionOf = ({ awsCluster, zones: [zone = ''] }: Wants): string =>
  awsCluster.spec.region ?? zone.replace(/[a-z]$/, '');

/** Where a quota can be raised: its page in the region's console, or Service Quotas if there is no public console. */
const quotaPlace = (region: string, service: string, code: string): string => {
  const host = findPartition(region)?.console;
  return host === undefined
    ? 'in Service Quotas'
    : `at https://${region}.${host}/servicequotas/home/services/${service}/quotas/${code}`;
};

const checkQuota = (report: Report, facts: Facts, region: string, { quota, needed, used }: Need): void => {
  const { service, code, name } = quota;
  const limit = report.value(`quota "${name}"`, facts.quotas.get(code));
  const taken = report.value(`use of "${name}"`, used);
  if (limit === undefined || needed === 0) return;
  // A quota that is too small for the cluster alone is too small whatever its use.
  if (needed + (taken ?? 0) <= limit) return;
  const use = taken === undefined ? '' : `, ${taken} of it used`;
  report.missing.push(
    `quota "${name}" (${code}) is ${limit}${use}, and the cluster needs ${needed}: raise it ${quotaPlace(region, service, code)} or free some`,
  );
};

const checkType = (report: Report, wants: Wants, facts: Facts, machines: WantedMachines): void => {
  const { template, field, instanceTypes } = machines;
  const types = report.value('instance types', facts.types);
  const offers = report.value('zones of instance types', facts.offers);
  const [wanted = ''] = instanceTypes;
  if (types && !types.has(wanted)) {
    report.missing.push(`${template} ${field}.instanceType: EC2 has no instance type ${wanted} in the region`);
    return;
  }
  const zones = machines.zones ?? wants.zones;
  if (!offers || zones.length === 0) return;
  if (instanceTypes.some((type) => offers.get(type)?.some((place) => zones.includes(place)))) return;
  report.missing.push(
    `${template} ${field}.instanceType: EC2 does not offer ${instanceTypes.join(', ')} in ${zones.join(', ')}; choose another type or other zones`,
  );
};

const checkProfile = (report: Report, facts: Facts, { template, field, profile }: WantedMachines): void => {
  if (profile === undefined) return;
  const exists = report.value(`instance profile ${profile}`, facts.profiles.get(profile));
  if (exists !== false) return;
  report.missing.push(
    `${template} ${field}.iamInstanceProfile: there is no instance profile ${profile} (NoSuchEntity); \`clusterawsadm bootstrap iam create-cloudformation-stack\` creates the usual ones`,
  );
};

/** EC2 reserves five addresses in every subnet. */
const RESERVED = 5;

const freeIn = (free: ReadonlyMap<string, number> | undefined, { id, cidrBlock }: WantedSubnet) => {
  if (id !== undefined) return free?.get(id);
  return cidrBlock ? Number(sizeOf(cidrOf(cidrBlock, 4))) - RESERVED : undefined;
};

const checkSubnets = (report: Report, { subnets, machines }: Wants, facts: Facts): void => {
  const placed = machines.filter(({ isPlacedByCluster }) => isPlacedByCluster);
  const needed = placed.reduce((sum, { count }) => sum + count, 0);
  const free = report.value('free addresses of subnets', facts.free);
  const known = subnets.map((subnet) => ({ ...subnet, free: freeIn(free, subnet) }));
  for (const { field, id, free: left } of known)
    if (left !== undefined && left <= 0)
      report.missing.push(`${field}: subnet ${id ?? ''} has no free address (InsufficientFreeAddressesInSubnet)`);
  const inside = known.filter(({ isPublic }) => !isPublic);
  const places = inside.length > 0 ? inside : known;
  if (needed === 0 || places.length === 0 || places.some(({ free: left }) => left === undefined)) return;
  const room = places.reduce((sum, { free: left = 0 }) => sum + Math.max(left, 0), 0);
  if (room >= needed) return;
  report.missing.push(
    `spec.network.subnets: ${places.map(({ field, id, cidrBlock }) => id ?? cidrBlock ?? field).join(', ')} have ${room} free addresses for ${needed} machines (InsufficientFreeAddressesInSubnet); use larger subnets or more of them`,
  );
};

/** The subnets that machines name themselves. */
const checkNamedSubnets = (report: Report, facts: Facts, { template, subnets }: WantedMachines): void => {
  if (subnets.length === 0) return;
  const free = report.value('free addresses of subnets', facts.free);
  for (const { field, id } of free ? subnets : []) {
    const left = free?.get(id);
    if (left === undefined)
      report.missing.push(`${template} ${field}: EC2 has no subnet ${id} in the region (InvalidSubnetID.NotFound)`);
    else if (left <= 0)
      report.missing.push(`${template} ${field}: subnet ${id} has no free address (InsufficientFreeAddressesInSubnet)`);
  }
};

const checkGroups = (report: Report, { groups }: Wants, facts: Facts): void => {
  const found = groups > 0 ? report.value('number of Auto Scaling groups', facts.groups) : undefined;
  if (!found || found.used + groups <= found.limit) return;
  report.missing.push(
    `the region may have ${found.limit} Auto Scaling groups, ${found.used} exist, and the cluster needs ${groups}: raise the quota "Auto Scaling groups per region" or delete some`,
  );
};

/** Bootstrap data cannot contain more than this, whatever else they contain. */
const checkFiles = (report: Report, { files }: WantedMachines): void => {
  if (!files || files.bytes <= MAX_USER_DATA_BYTES) return;
  report.missing.push(
    `${files.field}: their contents have ${files.bytes} bytes, the user data of a launch template has ${MAX_USER_DATA_BYTES} at most; shorten them, or fetch them when an instance boots`,
  );
};

/** A user's own address may lead to the load balancer from the internet. */
const checkEndpoint = (report: Report, { network, awsCluster }: Wants, { reachesPrivate }: Facts): void => {
  const { spec } = awsCluster;
  const { scheme, loadBalancerType } = spec.controlPlaneLoadBalancer ?? {};
  if (reachesPrivate !== false || !network || scheme !== 'internal' || loadBalancerType === 'disabled') return;
  if (spec.controlPlaneEndpoint?.host || isSkipped(awsCluster, 'endpoint')) return;
  report.missing.push(
    'spec.controlPlaneLoadBalancer.scheme: an internal load balancer has no public address, and the functions that connect to clusters are not in a VPC: deploy with functionSubnets and functionSecurityGroups (docs/private-networks.md), or set internet-facing; the name of the check is endpoint',
  );
};

const checkPermissions = (report: Report, { permissions }: Facts): void => {
  for (const { action, refusal } of permissions) {
    const said = report.value(`permission ${action}`, refusal);
    if (said) report.missing.push(`permission to ${action}: ${said}`);
  }
};

/** The query for the machines' image; none if its architecture is unknown. */
export const queryOf = ({ awsCluster }: Wants, machines: WantedMachines, facts: Facts): ImageQuery | undefined => {
  const types = facts.types && 'value' in facts.types ? facts.types.value : undefined;
  const isGiven = Boolean(machines.machine.spec.ami?.id);
  const supported = types?.get(machines.instanceTypes[0] ?? '')?.architectures ?? [];
  const architecture = supported.find((name) => name === 'x86_64' || name === 'arm64');
  if (!isGiven && architecture === undefined) return undefined;
  return imageQuery(machines.machine, awsCluster, machines.version, architecture ?? '');
};

const skipping =
  ({ awsCluster }: Wants) =>
  (check: Check): boolean =>
    isSkipped(awsCluster, check);

const checkMachines = (report: Report, wants: Wants, facts: Facts, machines: WantedMachines): void => {
  const skips = skipping(wants);
  if (!skips('instance-types')) checkType(report, wants, facts, machines);
  if (!skips('images')) imageFindings(report, facts, machines, queryOf(wants, machines, facts));
  if (!skips('instance-profiles')) checkProfile(report, facts, machines);
  if (!skips('subnets')) checkNamedSubnets(report, facts, machines);
  if (!skips('volume-keys')) checkVolumeKeys(report, machines, facts);
  checkFiles(report, machines);
};

/**
 * Everything that prevents a cluster from being created, and what could not be checked. A skipped check reports
 * nothing.
 */
export const findingsOf = (wants: Wants, facts: Facts): Findings => {
  const report = newReport();
  const skips = skipping(wants);
  if (!skips('quotas')) for (const need of needsOf(wants, facts)) checkQuota(report, facts, regionOf(wants), need);
  if (!skips('quotas')) checkGroups(report, wants, facts);
  for (const machines of wants.machines) checkMachines(report, wants, facts, machines);
  if (!skips('subnets')) checkSubnets(report, wants, facts);
  if (!skips('permissions')) {
    checkPermissions(report, facts);
    checkServiceRole(report, wants, facts);
  }
  checkEndpoint(report, wants, facts);
  return { missing: [...new Set(report.missing)], unseen: report.unseen };
};
