import { inVpcs } from '../../../../shared/providers/aws/network/filters.ts';
import type { ObservedSecurityGroup } from '../../../../shared/providers/aws/network/security-groups/model.ts';
import type { ObservedSubnet } from '../../../../shared/providers/aws/network/subnets/model.ts';
import { isClustersInstance } from '../../../../shared/providers/aws/plan/ownership/instance.ts';
import type { NodeInstance } from '../../../../shared/providers/aws/services/instances-api.ts';
import type { ServicePlaces } from '../../../../shared/providers/aws/services/subnets.ts';
import { type ClusterName, isOwnedBy, ownershipTag, ROLE_TAG } from '../../../../shared/providers/aws/tags.ts';
import type { ServiceCalls } from './dependencies.ts';

/** What is read of the account for all Services of a cluster together. */
export interface Facts {
  readonly subnets: readonly ObservedSubnet[];
  /** The nodes' groups for rules of load balancers: those with the role `lb` that Windlass made for the cluster. */
  readonly groups: readonly ObservedSecurityGroup[];
  /** The cluster's own running instances. A node may name any instance; only its tags in EC2 prove its owner. */
  readonly instances: ReadonlyMap<string, NodeInstance>;
  /** Read by the first load balancer that is to be made. */
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

/** `instanceIds`: those that nodes name. Three reads, or two without any. */
export const readFacts = async (
  calls: ServiceCalls,
  cluster: ClusterName,
  vpcId: string,
  instanceIds: readonly string[],
): Promise<Facts> => {
  const ofCluster = { name: `tag:${ownershipTag(cluster.name)}`, values: ['owned'] };
  const [subnets, groups, instances] = await Promise.all([
    calls.network.describeSubnets(inVpcs([vpcId])),
    calls.network.describeSecurityGroups([...inVpcs([vpcId]), ofCluster]),
    calls.instances.runningInstances(instanceIds),
  ]);
  let places: Promise<ServicePlaces> | undefined;
  return {
    subnets,
    groups: groups.filter(({ tags }) => isOwnedBy(cluster, tags) && tags[ROLE_TAG] === 'lb'),
    instances: new Map([...instances].filter(([, { tags }]) => isClustersInstance(cluster, tags))),
    places: () => {
      places ??= readPlaces(calls, vpcId, subnets);
      return places;
    },
  };
};
