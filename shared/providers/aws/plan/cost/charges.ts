/** Charges for the resources of a cluster. */
import type { AWSCluster, AWSMachine } from '../../../../kinds/index.ts';
import type { Volume } from '../../../../kinds/schema/aws-instance.ts';
import type { LoadBalancerStatus } from '../../../../kinds/schema/aws-load-balancer.ts';
import { instanceTypes } from '../launch/candidates.ts';
import { isSpot } from '../launch/market.ts';
import { HOURS_PER_MONTH, type RegionPrices, type VolumePrice } from './prices.ts';

/** A number of equal resources, and how their price is found. */
export interface Charge {
  /** The name for users: `t3.large`, `public IPv4 addresses`. */
  item: string;
  quantity: number;
  /** USD per month for one; undefined if the list does not contain it. */
  monthly(prices: RegionPrices): number | undefined;
  /** The price is the maximum. */
  isUpperBound?: boolean;
  /** Why no price is known. */
  unknown?: string;
}

const hourly =
  (pick: (prices: RegionPrices) => number | undefined): Charge['monthly'] =>
  (prices) => {
    const price = pick(prices);
    return price === undefined ? undefined : price * HOURS_PER_MONTH;
  };

const NO_PRICE: Charge['monthly'] = () => undefined;

const addresses = (quantity: number): Charge[] =>
  quantity === 0 ? [] : [{ item: 'public IPv4 addresses', quantity, monthly: hourly(({ publicIpv4 }) => publicIpv4) }];

/** Zones inside a region. Local and Wavelength Zones, such as us-east-1-bos-1a, have separate prices. */
const ORDINARY_ZONE = /^[a-z]{2,}(?:-[a-z]+)+-\d+[a-z]$/;

/** The zone in a provider id: `aws:///us-east-1a/i-…`. */
const zoneOf = ({ spec }: AWSMachine): string | undefined => spec.providerID?.split('/').at(-2) || undefined;

/** Why the price of an instance differs from that of its type. */
const unusual = (machine: AWSMachine): string | undefined => {
  const { tenancy, marketType } = machine.spec;
  const zone = zoneOf(machine);
  if (tenancy === 'dedicated' || tenancy === 'host') return `tenancy ${tenancy}`;
  if (marketType === 'CapacityBlock') return 'capacity blocks';
  return zone === undefined || ORDINARY_ZONE.test(zone) ? undefined : `zone ${zone}`;
};

/** A spot instance costs the spot price in the list, or at most the on-demand price or the user's maximum. */
const spotCharge = (type: string, maxPrice: string | undefined, prices: RegionPrices): number | undefined => {
  const known = prices.spot?.[type];
  const onDemand = prices.instances?.[type];
  const most = Number(maxPrice || Number.POSITIVE_INFINITY);
  return known ?? (onDemand === undefined ? undefined : Math.min(onDemand, Number.isNaN(most) ? onDemand : most));
};

const instanceCharge = (machine: AWSMachine): Charge => {
  const [type = '', ...others] = instanceTypes(machine);
  const why = unusual(machine);
  const suffix = others.length > 0 ? ` (or ${others.join(', ')})` : '';
  if (why !== undefined) return { item: type, quantity: 1, monthly: NO_PRICE, unknown: why };
  if (!isSpot(machine))
    return { item: `${type}${suffix}`, quantity: 1, monthly: hourly(({ instances }) => instances?.[type]) };
  const maxPrice = machine.spec.spotMarketOptions?.maxPrice;
  return {
    item: `${type}, spot${suffix}`,
    quantity: 1,
    monthly: hourly((prices) => spotCharge(type, maxPrice, prices)),
    isUpperBound: true,
  };
};

/** The provisioned part above what is included; undefined if the list has no price for it. */
const extra = (wanted = 0, included = 0, price: number | undefined): number | undefined =>
  wanted <= included ? 0 : price === undefined ? undefined : (wanted - included) * price;

const volumePrice = ({ size, iops, throughput }: Volume, price: VolumePrice | undefined): number | undefined => {
  if (price === undefined) return undefined;
  const operations = extra(iops, price.includedIops, price.iops);
  const transfer = extra(throughput, price.includedThroughput, price.throughput);
  return operations === undefined || transfer === undefined ? undefined : size * price.gibibyte + operations + transfer;
};

/** A root volume without a size has that of the image, and an absent type is the image's or EC2's default. */
const volumeCharges = ({ spec }: Pick<AWSMachine, 'spec'>): Charge[] => {
  const { rootVolume, nonRootVolumes = [] } = spec;
  const unsized: Charge = { item: 'root volumes', quantity: 1, monthly: NO_PRICE, unknown: 'size of the image' };
  const known = [...(rootVolume ? [rootVolume] : []), ...nonRootVolumes];
  return [
    ...(rootVolume ? [] : [unsized]),
    ...known.map((volume): Charge => {
      const { type, size } = volume;
      if (!type)
        return { item: `volumes of ${size} GiB`, quantity: 1, monthly: NO_PRICE, unknown: 'type of the image' };
      const monthly: Charge['monthly'] = ({ volumes }) => volumePrice(volume, volumes?.[type]);
      return { item: `${type} volumes of ${size} GiB`, quantity: 1, monthly };
    }),
  ];
};

/** Addresses from a user's own pool cost nothing. */
const machineAddresses = ({ spec, status }: AWSMachine): Charge[] =>
  spec.elasticIpPool?.publicIpv4Pool
    ? []
    : addresses(
        (status?.addresses ?? []).filter(({ type, address }) => type === 'ExternalIP' && !address.includes(':')).length,
      );

const GONE: readonly (string | undefined)[] = ['terminated', 'shutting-down'];
const STOPPED: readonly (string | undefined)[] = ['stopped', 'stopping'];

/** A machine without an instance counts as a running one. */
export const machineCharges = (machine: AWSMachine): Charge[] => {
  const state = machine.status?.instanceState;
  if (GONE.includes(state)) return [];
  const running = STOPPED.includes(state) ? [] : [instanceCharge(machine), ...machineAddresses(machine)];
  return [...running, ...volumeCharges(machine)];
};

/** An internet-facing load balancer has one public address in each of its subnets. */
export const loadBalancerCharges = (balancer: LoadBalancerStatus | undefined): Charge[] => {
  if (!balancer?.dnsName) return [];
  const { loadBalancerType = 'classic', scheme, availabilityZones = [] } = balancer;
  const prices: Readonly<Record<string, Pick<Charge, 'item' | 'monthly'>>> = {
    nlb: { item: 'network load balancers', monthly: hourly(({ networkLoadBalancer }) => networkLoadBalancer) },
    classic: { item: 'classic load balancers', monthly: hourly(({ classicLoadBalancer }) => classicLoadBalancer) },
  };
  const known = prices[loadBalancerType] ?? { item: `load balancers of type ${loadBalancerType}`, monthly: NO_PRICE };
  return [{ ...known, quantity: 1 }, ...addresses(scheme === 'internal' ? 0 : availabilityZones.length)];
};

const bastionCharges = ({ status }: AWSCluster): Charge[] => {
  const { bastion } = status ?? {};
  if (!bastion?.type || GONE.includes(bastion.instanceState)) return [];
  const { type, publicIp } = bastion;
  const instance: Charge = { item: type, quantity: 1, monthly: hourly(({ instances }) => instances?.[type]) };
  return [instance, ...addresses(publicIp ? 1 : 0), ...volumeCharges({ spec: { instanceType: type } })];
};

/** The charges for a number of NAT gateways with their addresses. */
export const natCharges = (quantity: number, ownsAddresses: boolean): Charge[] =>
  quantity === 0
    ? []
    : [
        { item: 'NAT gateways', quantity, monthly: hourly(({ natGateway }) => natGateway) },
        ...addresses(ownsAddresses ? 0 : quantity),
      ];

/** The charges for the current network and bastion of a cluster. */
export const networkCharges = (awsCluster: AWSCluster): Charge[] => {
  const { vpc, subnets = [] } = awsCluster.spec.network ?? {};
  const gateways = new Set(subnets.flatMap(({ natGatewayId }) => natGatewayId || [])).size;
  const { apiServerElb, secondaryAPIServerELB } = awsCluster.status?.networkStatus ?? {};
  return [
    ...loadBalancerCharges(apiServerElb),
    ...loadBalancerCharges(secondaryAPIServerELB),
    ...natCharges(gateways, Boolean(vpc?.elasticIpPool?.publicIpv4Pool)),
    ...bastionCharges(awsCluster),
  ];
};
