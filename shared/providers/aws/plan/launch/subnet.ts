import type { AWSCluster, AWSMachine, Machine } from '../../../../kinds/index.ts';
import { isControlPlaneMachine } from '../../../../plan/labels.ts';
import { isReachedIn } from '../../load-balancer/target-groups/families.ts';
import { isOnRecord } from '../../network/subnets/on-record.ts';

/** A subnet in which an instance may be placed. */
export interface LaunchPlace {
  id: string;
  zone: string | undefined;
  hasIpv6: boolean;
}

/** Where an instance may be placed, the best place first, or why it cannot be placed anywhere. */
export type Places = { places: LaunchPlace[] } | { problem: string };

/** The parts of EC2's description of a subnet that a launch needs. */
export interface FoundSubnet {
  id: string;
  vpcId: string;
  zone: string;
  /** Its IPv4 range; undefined if it only has IPv6. */
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

/** The API's target groups must be able to reach a control plane machine. */
const mayHold = (machine: Machine, cluster: AWSCluster): ReturnType<typeof isReachedIn> =>
  isControlPlaneMachine(machine) ? isReachedIn(cluster) : () => true;

/**
 * The subnet of a machine among those that match, by upstream's rule: one in its failure domain, one that the cluster
 * knows as public if the machine needs a public address, and none that is for pods; preferably in the cluster's VPC. A
 * control plane machine is not placed in a subnet that the API's target groups cannot reach.
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

/** Upstream's rule uses the first subnet, which would crowd one zone. Here the name of the machine decides. */
const spread = <T>({ metadata }: Machine, subnets: readonly T[]): T[] => {
  const sum = [...metadata.name].reduce((total, letter) => total + letter.charCodeAt(0), 0);
  const first = sum % Math.max(1, subnets.length);
  return [...subnets.slice(first), ...subnets.slice(0, first)];
};

/**
 * The cluster's subnets for a machine: public ones only with `publicIP`, and otherwise private ones. Those in its
 * failure domain come first. Others follow only for a control plane machine, whose zone Windlass chooses and not the
 * user. Without a failure domain, the machine's name decides, so that workers are spread over the zones.
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
