/** The network of a cluster in AWS: load balancers, and subnets with their NAT gateways by zone. Pure. */
import type { AWSCluster, Machine } from '../../../shared/kinds/index.ts';
import type { LoadBalancerSpec, LoadBalancerStatus } from '../../../shared/kinds/schema/aws-load-balancer.ts';
import type { SubnetSpec } from '../../../shared/kinds/schema/aws-network.ts';
import { awsClusterOf } from './aws-objects.ts';
import { conditionsOf } from './conditions.ts';
import type { ClusterObjects } from './objects.ts';

/** The state of a part according to its condition: `Ready`, `not Ready`, or `unknown` if there is no condition. */
export type PartState = 'Ready' | 'not Ready' | 'unknown';

interface LoadBalancer {
  /** Empty until it exists. */
  name: string;
  /** `nlb` or `classic`. */
  type: string;
  scheme: string;
  dnsName: string;
  state: PartState;
}

interface Subnet {
  id: string;
  cidr: string;
  isPublic: boolean;
  /** The id of its NAT gateway; empty if there is none. */
  natGateway: string;
}

export interface Zone {
  /** Empty for subnets whose zone is not known yet. */
  zone: string;
  /** Public subnets first. */
  subnets: readonly Subnet[];
  /** The names of the Machines in the zone. */
  machines: readonly string[];
}

export interface Topology {
  region: string;
  vpc: { id: string; cidr: string; state: PartState };
  natGateways: PartState;
  loadBalancers: readonly LoadBalancer[];
  zones: readonly Zone[];
}

const stateOf = (awsCluster: AWSCluster, type: string): PartState => {
  const found = conditionsOf(awsCluster).find((one) => one.type === type);
  if (found === undefined) return 'unknown';
  return found.status === 'True' ? 'Ready' : 'not Ready';
};

const loadBalancerOf = (
  spec: LoadBalancerSpec | undefined,
  status: LoadBalancerStatus | undefined,
  state: PartState,
): LoadBalancer[] => {
  if (spec === undefined || spec.loadBalancerType === 'disabled') return [];
  const { name = '', dnsName = '', scheme, loadBalancerType } = status ?? {};
  const type = loadBalancerType ?? spec.loadBalancerType ?? '';
  return [{ name, type, scheme: scheme ?? spec.scheme ?? '', dnsName, state: dnsName === '' ? 'not Ready' : state }];
};

const subnetOf = ({ id, resourceID, cidrBlock, ipv6CidrBlock, isPublic, natGatewayId }: SubnetSpec): Subnet => ({
  id: resourceID || id,
  cidr: cidrBlock || ipv6CidrBlock || '',
  isPublic: isPublic ?? false,
  natGateway: natGatewayId ?? '',
});

const zoneOf = ({ spec, status }: Machine): string => status?.failureDomain ?? spec.failureDomain ?? '';

const zonesOf = (subnets: readonly SubnetSpec[], machines: readonly Machine[]): Zone[] => {
  const names = [...subnets.map(({ availabilityZone = '' }) => availabilityZone), ...machines.map(zoneOf)];
  return [...new Set(names)].sort().map((zone) => ({
    zone,
    subnets: subnets
      .filter(({ availabilityZone = '' }) => availabilityZone === zone)
      .map(subnetOf)
      .sort((a, b) => Number(b.isPublic) - Number(a.isPublic)),
    machines: machines.filter((machine) => zoneOf(machine) === zone).map(({ metadata }) => metadata.name),
  }));
};

/** The network that the AWSCluster has recorded; undefined if the cluster has no AWSCluster. */
export const topologyOf = (objects: ClusterObjects): Topology | undefined => {
  const awsCluster = awsClusterOf(objects);
  if (awsCluster === undefined) return undefined;
  const { region = '', network, controlPlaneLoadBalancer, secondaryControlPlaneLoadBalancer } = awsCluster.spec;
  const { apiServerElb, secondaryAPIServerELB } = awsCluster.status?.networkStatus ?? {};
  const balancers = stateOf(awsCluster, 'LoadBalancerReady');
  const { id = '', cidrBlock = '' } = network?.vpc ?? {};
  return {
    region,
    vpc: { id, cidr: cidrBlock, state: stateOf(awsCluster, 'VpcReady') },
    natGateways: stateOf(awsCluster, 'NatGatewaysReady'),
    loadBalancers: [
      ...loadBalancerOf(controlPlaneLoadBalancer, apiServerElb, balancers),
      ...loadBalancerOf(secondaryControlPlaneLoadBalancer, secondaryAPIServerELB, balancers),
    ],
    zones: zonesOf(network?.subnets ?? [], objects.machines),
  };
};
