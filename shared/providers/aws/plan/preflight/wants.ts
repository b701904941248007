import type { AWSCluster, AWSMachine, AWSMachineTemplate, SubnetSpec } from '../../../../kinds/index.ts';
import { sharedTags } from '../../network/parts.ts';
import { isSubnetId } from '../../network/subnets/kinds.ts';
import { natZones } from '../../network/subnets/nat-zones.ts';
import { vpcTags } from '../../network/vpc/desired.ts';
import type { ClusterName } from '../../tags.ts';
import { instanceTypes } from '../launch/candidates.ts';
import { isSpot } from '../launch/market.ts';
import type { WantedMachines, WantedNetwork, WantedSubnet, Wants } from './model.ts';
import { type PoolSource, wantedOfPool } from './pools.ts';

/** The desired machines of an owner. */
export type MachineSource = TemplateSource | PoolSource;

interface TemplateSource {
  template: AWSMachineTemplate;
  replicas: number;
  version: string;
  failureDomain?: string;
}

const distinct = (values: readonly (string | undefined)[]): string[] => [
  ...new Set(values.filter((value): value is string => value !== undefined && value !== '')),
];

const wantedOfTemplate = ({ template, replicas, version, failureDomain }: TemplateSource): WantedMachines => {
  const { metadata, spec } = template.spec.template;
  // Contains nothing that changes on its own, because needs are identified by their digest.
  const { name, namespace } = template.metadata;
  const machine = { metadata: { name, namespace, annotations: metadata?.annotations }, spec } as AWSMachine;
  return {
    template: `AWSMachineTemplate ${template.metadata.name}`,
    field: 'spec.template.spec',
    count: replicas,
    instanceTypes: instanceTypes(machine),
    isSpot: isSpot(machine),
    countsVcpus: spec.tenancy !== 'host',
    profile: spec.iamInstanceProfile || undefined,
    zones: failureDomain ? [failureDomain] : undefined,
    subnets: [],
    isPlacedByCluster: !spec.subnet && (spec.networkInterfaces ?? []).length === 0,
    version,
    machine,
  };
};

const isPool = (source: MachineSource): source is PoolSource => 'awsPool' in source;

const wantedMachines = (source: MachineSource): WantedMachines[] =>
  isPool(source) ? wantedOfPool(source) : [wantedOfTemplate(source)];

const subnetId = ({ resourceID, id }: SubnetSpec): string | undefined =>
  [resourceID, id].find((one) => one !== undefined && isSubnetId(one));

const wantedSubnet = (subnet: SubnetSpec, index: number): WantedSubnet => ({
  field: `spec.network.subnets[${index}]`,
  id: subnetId(subnet),
  cidrBlock: subnet.cidrBlock,
  zone: subnet.availabilityZone ?? '',
  isPublic: subnet.isPublic ?? false,
});

/** An address for each NAT gateway. */
const natAddresses = (subnets: readonly SubnetSpec[], zoneLimit: number): number =>
  subnets.length === 0 ? zoneLimit : natZones(subnets).length;

const wantedNetwork = (cluster: ClusterName, { spec }: AWSCluster): WantedNetwork => {
  const { vpc = {}, subnets = [] } = spec.network ?? {};
  const isOurs = !vpc.id;
  const hasOwnPool = Boolean(vpc.elasticIpPool?.publicIpv4Pool);
  const isNetwork = (type = 'nlb') => type === 'nlb';
  const balancers = [
    isNetwork(spec.controlPlaneLoadBalancer?.loadBalancerType),
    spec.secondaryControlPlaneLoadBalancer !== undefined &&
      isNetwork(spec.secondaryControlPlaneLoadBalancer.loadBalancerType),
  ];
  return {
    vpc: isOurs ? { cidrBlock: vpc.cidrBlock, tags: vpcTags({ cluster, spec }) } : undefined,
    vpcId: vpc.id || undefined,
    addresses: isOurs && !hasOwnPool ? natAddresses(subnets, vpc.availabilityZoneUsageLimit ?? 3) : 0,
    addressTags: sharedTags({ cluster, spec }, 'eip-common'),
    networkLoadBalancers: balancers.filter(Boolean).length,
    classicLoadBalancers: spec.controlPlaneLoadBalancer?.loadBalancerType === 'classic' ? 1 : 0,
    natZones: isOurs ? natZones(subnets) : [],
  };
};

/** The parts of a cluster that do not exist yet. */
export interface Parts {
  network: boolean;
  machines: boolean;
}

/** The needs of a cluster, according to its objects after its subnets were laid out. */
export const wantsOf = (
  cluster: ClusterName,
  awsCluster: AWSCluster,
  sources: readonly MachineSource[],
  parts: Parts,
): Wants => {
  const subnets = awsCluster.spec.network?.subnets ?? [];
  return {
    awsCluster,
    network: parts.network ? wantedNetwork(cluster, awsCluster) : undefined,
    machines: parts.machines ? sources.flatMap(wantedMachines) : [],
    groups: parts.machines ? sources.filter(isPool).length : 0,
    subnets: subnets.map(wantedSubnet),
    zones: distinct(subnets.map(({ availabilityZone }) => availabilityZone)),
  };
};
