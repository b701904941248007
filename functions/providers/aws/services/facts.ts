import { inVpcs } from '../../../../shared/providers/aws/network/filters.ts';
import type { ObservedSecurityGroup } from '../../../../shared/providers/aws/network/security-groups/model.ts';
import type { ObservedSubnet } from '../../../../shared/providers/aws/network/subnets/model.ts';
import { isClustersInstance } from '../../../../shared/providers/aws/plan/ownership/instance.ts';
import type { NodeInstance } from '../../../../shared/providers/aws/services/instances-api.ts';
import type { LateInstances } from '../../../../shared/providers/aws/services/reach.ts';
import { SERVICE_ROLE } from '../../../../shared/providers/aws/services/service-tags.ts';
import type { ServicePlaces } from '../../../../shared/providers/aws/services/subnets.ts';
import { type ClusterName, isOwnedBy, ownershipTag, ROLE_TAG } from '../../../../shared/providers/aws/tags.ts';
import type { ServiceCalls } from './dependencies.ts';

/** Data about the account that is read for all Services of a cluster together. */
export interface Facts {
  readonly subnets: readonly ObservedSubnet[];
  /**
   * The groups of the nodes that receive rules for load balancers: those with the role `lb` that Windlass created for
   * the cluster.
   */
  readonly groups: readonly ObservedSecurityGroup[];
  /** The groups that Windlass created for classic load balancers of the cluster's Services. */
  readonly serviceGroups: readonly ObservedSecurityGroup[];
  /** The groups that Services name, if they are in the cluster's VPC. */
  readonly namedGroups: readonly ObservedSecurityGroup[];
  /** The cluster's own running instances. A node may name any instance; only tags in EC2 prove its owner. */
  readonly instances: ReadonlyMap<string, NodeInstance>;
  /** Instances of nodes that may be running although EC2 does not show it. */
  readonly late: LateInstances;
  /** Read when the first load balancer is created. */
  places(): Promise<ServicePlaces>;
}

const readPlaces = async (
  { network }: ServiceCalls,
  vpcId: string,
  subnets: readonly ObservedSubnet[],
): Promise<ServicePlaces> => {
  const zones = [...new Set(subnets.map(({ zone }) => zone))];
  const [routeTables, found] = await Promise.all([
    network.describeRouteTables(inVpcs([vpcId])),
    zones.length > 0 ? network.describeZones(zones) : [],
  ]);
  return { vpcId, subnets, routeTables, zoneTypes: new Map(found.map(({ name, type }) => [name, type])) };
};

/** EC2 accepts 200 values in a filter. */
const MOST_AT_ONCE = 200;

/** Unlike a list of ids, a filter does not cause an error if one of them is not found. */
const findGroups = async (
  { network }: ServiceCalls,
  vpcId: string,
  filter: 'group-id' | 'group-name',
  values: readonly string[],
): Promise<ObservedSecurityGroup[]> => {
  const found: ObservedSecurityGroup[] = [];
  for (let index = 0; index < values.length; index += MOST_AT_ONCE) {
    const part = { name: filter, values: values.slice(index, index + MOST_AT_ONCE) };
    found.push(...(await network.describeSecurityGroups([...inVpcs([vpcId]), part])));
  }
  return found;
};

/** The security groups with these names in the cluster's VPC, regardless of who created them. */
export const groupsNamed = (calls: ServiceCalls, vpcId: string, names: readonly string[]) =>
  findGroups(calls, vpcId, 'group-name', names);

/** Instances of others are not included: they never become targets. */
const lateAmong = (
  cluster: ClusterName,
  ids: readonly string[],
  found: ReadonlyMap<string, NodeInstance>,
): LateInstances => {
  const late = new Map<string, 'pending' | 'unlisted'>();
  for (const id of ids) {
    const instance = found.get(id);
    if (!instance) late.set(id, 'unlisted');
    else if (instance.isPending && isClustersInstance(cluster, instance.tags)) late.set(id, 'pending');
  }
  return late;
};

/** The instances and groups that nodes and Services name. */
interface Named {
  readonly instanceIds: readonly string[];
  readonly groupIds: readonly string[];
}

/** Costs two reads, and one each for the named instances and groups. */
export const readFacts = async (
  calls: ServiceCalls,
  cluster: ClusterName,
  vpcId: string,
  { instanceIds, groupIds }: Named,
): Promise<Facts> => {
  const ofCluster = { name: `tag:${ownershipTag(cluster.name)}`, values: ['owned'] };
  const [subnets, groups, found, namedGroups] = await Promise.all([
    calls.network.describeSubnets(inVpcs([vpcId])),
    calls.network.describeSecurityGroups([...inVpcs([vpcId]), ofCluster]),
    calls.instances.knownInstances(instanceIds),
    findGroups(calls, vpcId, 'group-id', groupIds),
  ]);
  const ofRole = (role: string) => groups.filter(({ tags }) => isOwnedBy(cluster, tags) && tags[ROLE_TAG] === role);
  let places: Promise<ServicePlaces> | undefined;
  return {
    subnets,
    groups: ofRole('lb'),
    serviceGroups: ofRole(SERVICE_ROLE),
    namedGroups,
    instances: new Map([...found].filter(([, { tags, isRunning }]) => isRunning && isClustersInstance(cluster, tags))),
    late: lateAmong(cluster, instanceIds, found),
    places: () => {
      places ??= readPlaces(calls, vpcId, subnets);
      return places;
    },
  };
};
