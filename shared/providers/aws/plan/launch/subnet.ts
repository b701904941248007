import type { AWSCluster, AWSMachine, Machine } from '../../../../kinds/index.ts';
import { isControlPlaneMachine } from '../../../../plan/labels.ts';
import { isReachedIn } from '../../load-balancer/target-groups/families.ts';
import { isOnRecord } from '../../network/subnets/on-record.ts';

/** A subnet that an instance may go into. */
export interface LaunchPlace {
  id: string;
  zone: string | undefined;
  hasIpv6: boolean;
}

/** Where an instance may go, the best place first, or why it can go nowhere. */
export type Places = { places: LaunchPlace[] } | { problem: string };

/** A subnet as EC2 describes it, with what a launch needs. */
export interface FoundSubnet {
  id: string;
  vpcId: string;
  zone: string;
  /** Its IPv4 range; undefined if it has only IPv6. */
  cidrBlock?: string | undefined;
  hasIpv6: boolean;
  tags: Readonly<Record<string, string>>;
}

type ClusterSubnet = NonNullable<NonNullable<AWSCluster['spec']['network']>['subnets']>[number];

/** Subnets of secondary CIDR blocks are for pods. */
const ASSOCIATION_TAG = 'sigs.k8s.io/cluster-api-provider-aws/association';

const idOf = ({ id, resourceID }: ClusterSubnet): string => resourceID ?? id;

const isForPods = (tags: Readonly<Record<string, string>> = {}): boolean => tags[ASSOCIATION_TAG] === 'secondary';
const isEdge = ({ zoneType }: ClusterSubnet): boolean => zoneType !== undefined && zoneType !== 'availability-zone';

/** The query for the subnet that a machine names; undefined if it names none. */
export const subnetQuery = (
  { spec }: AWSMachine,
  cluster: AWSCluster,
): { name: string; values: string[] }[] | undefined => {
  const { id, filters = [] } = spec.subnet ?? {};
  if (!id && filters.length === 0) return undefined;
  const known = cluster.spec.network?.subnets?.find((subnet) => subnet.id === id);
  return [
    { name: 'state', values: ['pending', 'available'] },
    ...(id ? [{ name: 'subnet-id', values: [known?.resourceID ?? id] }] : []),
    ...filters.map(({ name, values }) => ({ name, values: [...values] })),
  ];
};

/** A control plane machine must be reached by the API's target groups. */
const mayHold = (machine: Machine, cluster: AWSCluster): ReturnType<typeof isReachedIn> =>
  isControlPlaneMachine(machine) ? isReachedIn(cluster) : () => true;

/**
 * The subnet of a machine among those that match, by upstream's rule: one in its failure domain, one that the cluster
 * knows as public if it needs a public address, none that is for pods; preferably of the cluster's VPC. A control plane
 * machine goes into none that the API's target groups do not reach.
 */
export const chooseNamed = (
  machine: Machine,
  { spec }: AWSMachine,
  cluster: AWSCluster,
  found: readonly FoundSubnet[],
): Places => {
  const field = spec.subnet?.id ? `spec.subnet.id: ${spec.subnet.id}` : 'spec.subnet.filters';
  const zone = machine.spec.failureDomain;
  const known = cluster.spec.network?.subnets ?? [];
  const isPublic = (id: string) => known.some((subnet) => idOf(subnet) === id && subnet.isPublic === true);
  const isReached = mayHold(machine, cluster);
  const objections = found.map((subnet) => {
    if (zone && subnet.zone !== zone) return `${subnet.id} is in ${subnet.zone}, not in failure domain ${zone}`;
    if (spec.publicIP && !isPublic(subnet.id)) return `${subnet.id} is not a public subnet of the cluster`;
    if (isForPods(subnet.tags)) return `${subnet.id} is of a secondary CIDR block, which is for pods`;
    const { id, cidrBlock, hasIpv6: isIpv6 } = subnet;
    return isReached({ cidrBlock, isIpv6 })
      ? undefined
      : `the target groups of the API cannot reach instances in ${id}`;
  });
  const fitting = found.filter((_, index) => objections[index] === undefined);
  const vpcId = cluster.spec.network?.vpc?.id;
  const [chosen] = [...fitting].sort((a, b) => Number(b.vpcId === vpcId) - Number(a.vpcId === vpcId));
  if (chosen) return { places: [{ id: chosen.id, zone: chosen.zone, hasIpv6: chosen.hasIpv6 }] };
  const why = objections.length > 0 ? objections.join('; ') : 'there is no such subnet';
  return { problem: `${field}: ${why}` };
};

/** The first subnet for control planes' sake of upstream's rule would crowd one zone; the name decides instead. */
const spread = <T>({ metadata }: Machine, subnets: readonly T[]): T[] => {
  const sum = [...metadata.name].reduce((total, letter) => total + letter.charCodeAt(0), 0);
  const first = sum % Math.max(1, subnets.length);
  return [...subnets.slice(first), ...subnets.slice(0, first)];
};

/**
 * The cluster's subnets for a machine: public ones only with `publicIP`, else private ones. Those of its failure domain
 * come first; others follow only for a control plane machine, whose zone is our choice and not the user's. Without a
 * failure domain the machine's name decides, so that workers spread over the zones.
 */
export const clusterPlaces = (machine: Machine, { spec }: AWSMachine, cluster: AWSCluster): Places => {
  const isPublic = spec.publicIP === true;
  const all = (cluster.spec.network?.subnets ?? []).filter(
    (subnet) => (subnet.isPublic === true) === isPublic && !isEdge(subnet) && !isForPods(subnet.tags),
  );
  const isReached = mayHold(machine, cluster);
  const fitting = all
    .filter((subnet) => isOnRecord(subnet, cluster) && isReached(subnet))
    .sort((a, b) => ((a.availabilityZone ?? '') < (b.availabilityZone ?? '') ? -1 : 1));
  const wanted = machine.spec.failureDomain;
  const isWanted = ({ availabilityZone }: ClusterSubnet) => !wanted || availabilityZone === wanted;
  const isFree = !wanted || isControlPlaneMachine(machine);
  const ordered = wanted
    ? [...fitting.filter(isWanted), ...fitting.filter((one) => !isWanted(one))]
    : spread(machine, fitting);
  const [first] = ordered;
  if (!first || !isWanted(first)) {
    const kind = isPublic ? 'public' : 'private';
    const where = wanted ? ` in failure domain ${wanted}` : '';
    const there = all.filter(isWanted);
    if (there.length > 0 && !there.some(isReached)) {
      return { problem: `the target groups of the API cannot reach instances in any ${kind} subnet${where}` };
    }
    return { problem: `the cluster has no ${kind} subnet${where}${there.length > 0 ? ' yet' : ''}` };
  }
  const places = isFree ? ordered : ordered.filter(isWanted);
  return {
    places: places.map((subnet) => ({
      id: idOf(subnet),
      zone: subnet.availabilityZone,
      hasIpv6: subnet.isIpv6 === true,
    })),
  };
};
