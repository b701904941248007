import type { AWSClusterSpec } from '../../../../kinds/aws-cluster/schema.ts';
import type { ObservedIpamPool } from '../address-pools/model.ts';
import { isFresh } from '../intents.ts';
import type { DesiredNetwork, NetworkPlan, NetworkProblem } from '../model.ts';
import { mergePlans, planCreation, type Situation } from '../situation.ts';
import { chooseVpc } from './choose.ts';
import type { ObservedBlock, ObservedVpc, PoolRequest, VpcNumbers } from './model.ts';

/** The address ranges of a VPC: blocks from the spec, from Amazon, or from pools. */

/** Upstream's prefix lengths if the spec has none. */
const POOL_LENGTH = { ipv4: 16, ipv6: 56 } as const;

const FIELD = { ipv4: 'spec.network.vpc.ipamPool', ipv6: 'spec.network.vpc.ipv6.ipamPool' } as const;

const problem = (message: string): NetworkProblem => ({ condition: 'VpcReady', message });

const isProblem = (value: object): value is NetworkProblem => 'condition' in value;

const poolOf = (
  { id, name, netmaskLength }: PoolRequest,
  pools: readonly ObservedIpamPool[] = [],
  family: keyof typeof FIELD,
): { id: string; netmaskLength: number } | NetworkProblem => {
  const found = pools.filter((pool) => (!id || pool.id === id) && (!name || pool.name === name));
  const asked = [...(id ? [`the id ${id}`] : []), ...(name ? [`the name ${name}`] : [])].join(' and ');
  const [pool] = found;
  if (!pool) return problem(`${FIELD[family]}: there is no IPAM pool with ${asked}`);
  if (found.length > 1) return problem(`${FIELD[family]}: ${found.length} IPAM pools have ${asked}; use the id of one`);
  return { id: pool.id, netmaskLength: netmaskLength ?? POOL_LENGTH[family] };
};

const ipv6Numbers = (
  { ipv6 }: DesiredNetwork,
  pools: readonly ObservedIpamPool[] | undefined,
): { ipv6?: VpcNumbers['ipv6'] } | NetworkProblem => {
  if (!ipv6) return {};
  if (ipv6.cidrBlock) return { ipv6: { cidrBlock: ipv6.cidrBlock, poolId: ipv6.poolId ?? '' } };
  if (!ipv6.ipamPool) return { ipv6: 'amazon' };
  const pool = poolOf(ipv6.ipamPool, pools, 'ipv6');
  return isProblem(pool) ? pool : { ipv6: { ipamPool: pool } };
};

const numbersOf = ({ desired, observed }: Situation): VpcNumbers | NetworkProblem => {
  const ipv6 = ipv6Numbers(desired, observed.ipamPools);
  if (isProblem(ipv6)) return ipv6;
  if (!desired.ipamPool) return { cidrBlock: desired.vpc.cidrBlock, ...ipv6 };
  const pool = poolOf(desired.ipamPool, observed.ipamPools, 'ipv4');
  return isProblem(pool) ? pool : { ipamPool: pool, ...ipv6 };
};

/** True if the spec does not contain all ranges of the VPC, so that Amazon or a pool chooses some. */
export const needsNumbers = ({ network }: AWSClusterSpec): boolean => {
  const { ipamPool, cidrBlock, ipv6 } = network?.vpc ?? {};
  return (ipamPool !== undefined && !cidrBlock) || (ipv6 !== undefined && !ipv6.cidrBlock);
};

/** The VPC, with the blocks of the spec. */
export const planVpcCreation = (situation: Situation): NetworkPlan => {
  const numbers = numbersOf(situation);
  if (isProblem(numbers)) return { actions: [], waiting: [], problem: numbers };
  return planCreation({ type: 'CreateVpc', intent: 'vpc', ...numbers, tags: situation.desired.vpc.tags }, situation);
};

/** The IPv6 block that the cluster uses; `undefined` while none is associated. */
export const ipv6BlockOf = ({ ipv6 = [] }: ObservedVpc, wanted?: string): ObservedBlock | undefined => {
  const associated = ipv6.filter(({ isAssociated }) => isAssociated);
  return associated.find(({ cidrBlock }) => cidrBlock === wanted) ?? associated[0];
};

/**
 * What is missing before subnets can have IPv6. As in upstream, a VPC gets its block when it is created, and never
 * later.
 */
export const planIpv6Block = ({ desired }: Pick<Situation, 'desired'>, vpc: ObservedVpc): NetworkPlan => {
  if (!desired.ipv6 || ipv6BlockOf(vpc)) return { actions: [], waiting: [] };
  if ((vpc.ipv6 ?? []).length > 0) return { actions: [], waiting: ['the IPv6 block of the VPC'] };
  const message = `spec.network.vpc.ipv6 is set, but VPC ${vpc.id} has no IPv6 block: associate one with it, or recreate the cluster`;
  return { actions: [], waiting: [], problem: problem(message) };
};

/**
 * Only the VPC, until its blocks are known: if Amazon or a pool chooses its ranges, its subnets can only be laid out
 * when it exists.
 */
export const planNumbering = (situation: Situation): NetworkPlan => {
  const { desired, observed, intents, now } = situation;
  const choice = chooseVpc(desired, observed.vpcs);
  if (choice.state === 'absent') return planVpcCreation(situation);
  if (choice.state === 'missing') {
    if (isFresh(intents.vpc, now)) return { actions: [], waiting: ['vpc'] };
    return {
      actions: [],
      waiting: [],
      problem: problem(`VPC ${choice.id}, which spec.network.vpc.id names, does not exist`),
    };
  }
  return mergePlans([planIpv6Block(situation, choice.vpc)]);
};
