/** Future charges for resources that do not exist yet. */
import type { AWSCluster, AWSMachine, AWSMachineTemplate } from '../../../../kinds/index.ts';
import { type Charge, loadBalancerCharges, machineCharges, natCharges } from './charges.ts';

/** A machine created from a template, with a public address if it requests one. */
export const templateCharges = ({ spec, metadata }: AWSMachineTemplate): Charge[] => {
  const { template } = spec;
  const addresses = template.spec.publicIP ? [{ type: 'ExternalIP' as const, address: 'not known yet' }] : [];
  const machine = { apiVersion: '', kind: 'AWSMachine', metadata: { ...template.metadata, name: metadata.name } };
  return machineCharges({ ...machine, spec: template.spec, status: { addresses } } as AWSMachine);
};

const DEFAULT_ZONES = 3;

/** Zones that get a NAT gateway: those of the layout, or those with a public and a private subnet. */
const natZones = ({ network }: AWSCluster['spec']): number => {
  const { vpc, subnets = [] } = network ?? {};
  if (vpc?.id) return 0;
  if (subnets.length === 0) return vpc?.availabilityZoneUsageLimit ?? DEFAULT_ZONES;
  const zones = Map.groupBy(subnets, ({ availabilityZone = '' }) => availabilityZone);
  return [...zones.values()].filter((some) =>
    [true, false].every((isPublic) => some.some((one) => (one.isPublic ?? false) === isPublic)),
  ).length;
};

const loadBalancers = (
  { controlPlaneLoadBalancer, secondaryControlPlaneLoadBalancer }: AWSCluster['spec'],
  zones: number,
): Charge[] =>
  [controlPlaneLoadBalancer, secondaryControlPlaneLoadBalancer].flatMap((spec) => {
    const { loadBalancerType = 'nlb', scheme } = spec ?? {};
    if (spec === undefined || loadBalancerType === 'disabled') return [];
    const availabilityZones = Array.from({ length: zones }, () => '');
    return loadBalancerCharges({ dnsName: 'not known yet', scheme, availabilityZones, loadBalancerType });
  });

/**
 * The network of a new AWSCluster. A region with fewer zones than `availabilityZoneUsageLimit` gets fewer; a user's own
 * VPC, with its NAT gateways, already exists.
 */
export const plannedNetworkCharges = ({ spec }: AWSCluster): Charge[] => {
  const { vpc, subnets = [] } = spec.network ?? {};
  const zones = new Set(subnets.map(({ availabilityZone }) => availabilityZone)).size || natZones(spec) || 1;
  return [...loadBalancers(spec, zones), ...natCharges(natZones(spec), Boolean(vpc?.elasticIpPool?.publicIpv4Pool))];
};
