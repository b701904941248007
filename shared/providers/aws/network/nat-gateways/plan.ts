import { createHash } from 'node:crypto';
import { VISIBLE_SECONDS } from '../../plan/visibility.ts';
import { INTENT_TAG, isOwnedBy, ROLE_TAG } from '../../tags.ts';
import type { ObservedAddress } from '../addresses/model.ts';
import { type PoolUse, planAllocation } from '../addresses/plan.ts';
import { type Intents, isFresh, uniqueOf } from '../intents.ts';
import type { NetworkAction, NetworkPlan } from '../model.ts';
import { planGatewayTags } from '../parts.ts';
import type { ObservedRouteTable } from '../route-tables/model.ts';
import { NAT64, planDefaultRoute, planIpv6Route, routeTableOf } from '../route-tables/routes.ts';
import { mergePlans, type Situation } from '../situation.ts';
import { subnetIdOf } from '../subnets/find.ts';
import { isEdgeZone, isIpv6Only } from '../subnets/kinds.ts';
import type { DesiredSubnet } from '../subnets/model.ts';
import { byAge, chooseVpc } from '../vpc/choose.ts';
import { COMING, type ObservedNatGateway } from './model.ts';
import { isGone } from './take-down.ts';

/** After this many failures in one subnet, it is left to a user: each failure costs an address for an hour. */
const MAX_FAILURES = 3;

export const isLive = ({ state }: ObservedNatGateway): boolean => state === 'pending' || state === 'available';

/** The key of the intent for the address of a zone's NAT gateway. */
const addressIntent = (zone: string): string => `address-${zone}`;

/** The key of the intent for a gateway with an address that was not allocated for it; the token names the address. */
const gatewayIntent = (zone: string): string => `gateway-${zone}`;

/** Whether an intent belongs to this step. */
export const isOfNatGateways = (intent: string): boolean =>
  intent.startsWith(addressIntent('')) || intent.startsWith(gatewayIntent(''));

/** A zone that needs a way out, and the public subnet that can provide it. */
interface Outlet {
  zone: string;
  subnetId: string;
  gateway?: ObservedNatGateway;
  failed: readonly ObservedNatGateway[];
  /** All visible gateways that are not usable: failed, or deleted by someone. */
  dead: readonly ObservedNatGateway[];
}

/**
 * One for each zone with a private and a public subnet. Of several public subnets, it is the one that has a gateway, so
 * that the zone keeps its address on the internet, or else the first.
 */
const outlets = (situation: Situation, vpcId: string): Outlet[] => {
  const { desired, observed } = situation;
  const core = desired.subnets.filter(({ zoneType, isSecondary }) => !isEdgeZone(zoneType) && !isSecondary);
  const zones = new Set(core.filter(({ isPublic }) => !isPublic).map(({ zone }) => zone));
  const serving = new Set(observed.natGateways.filter(isLive).map(({ subnetId }) => subnetId));
  return [...zones].sort().flatMap((zone) => {
    const publics = core.filter((one) => one.isPublic && one.zone === zone && one.cidrBlock !== '');
    const ids = publics.flatMap((subnet) => subnetIdOf(situation, subnet, vpcId) ?? []);
    const subnetId = ids.find((id) => serving.has(id)) ?? ids[0];
    if (!subnetId) return [];
    const gateways = observed.natGateways.filter((gateway) => gateway.subnetId === subnetId);
    const failed = gateways.filter(({ state }) => state === 'failed');
    const dead = gateways.filter((gateway) => !isLive(gateway));
    return [{ zone, subnetId, gateway: gateways.filter(isLive).sort(byAge)[0], failed, dead }];
  });
};

/** Our unused addresses, oldest first. */
const freeAddresses = ({ desired, observed }: Situation): ObservedAddress[] => {
  const used = new Set(observed.natGateways.filter(isLive).map(({ allocationId }) => allocationId));
  // Addresses of machines and load balancers have other roles.
  const { Name: name, [ROLE_TAG]: role } = desired.addressTags;
  return observed.addresses
    .filter(({ allocationId, isAssociated }) => !isAssociated && !used.has(allocationId))
    .filter(({ tags }) => isOwnedBy(desired.cluster, tags) && tags.Name === name && tags[ROLE_TAG] === role)
    .map((address) => ({ ...address, id: address.allocationId }))
    .sort(byAge);
};

/** The address with which the zone's gateway was last intended to be created, if it was not allocated for it. */
const namedAddress = (intents: Intents, zone: string): string | undefined => {
  const token = intents[gatewayIntent(zone)];
  return token && uniqueOf(token);
};

const isOwn = ({ tags, allocationId }: ObservedAddress, { zone }: Outlet, intents: Intents): boolean =>
  allocationId === namedAddress(intents, zone) ||
  (tags[INTENT_TAG] !== undefined && tags[INTENT_TAG] === intents[addressIntent(zone)]);

/** The zone's own address, or else one for which no zone waits. */
const takeAddress = (free: ObservedAddress[], outlet: Outlet, { intents }: Situation): ObservedAddress | undefined => {
  const reserved = new Set(
    Object.entries(intents).map(([key, token]) => (key.startsWith(gatewayIntent('')) ? uniqueOf(token) : token)),
  );
  const isReserved = ({ tags, allocationId }: ObservedAddress): boolean =>
    reserved.has(allocationId) || reserved.has(tags[INTENT_TAG] ?? '');
  const own = free.findIndex((address) => isOwn(address, outlet, intents));
  const index = own >= 0 ? own : free.findIndex((address) => !isReserved(address));
  return index >= 0 ? free.splice(index, 1)[0] : undefined;
};

/**
 * The zone's own address, if it is in use by something that is not visible: a gateway that was just created. The
 * address of a visible gateway does not count, but a deleted one has released its address.
 */
const hiddenUse = ({ observed, intents }: Situation, outlet: Outlet): ObservedAddress | undefined => {
  const named = namedAddress(intents, outlet.zone);
  const holding = observed.natGateways.filter((gateway) => gateway.allocationId !== named || !isGone(gateway));
  const visible = new Set(holding.map(({ allocationId }) => allocationId));
  return observed.addresses.find(
    (address) => address.isAssociated && isOwn(address, outlet, intents) && !visible.has(address.allocationId),
  );
};

/**
 * The token is the same for the same cluster, subnet and address, so that a repeated call returns the same gateway. It
 * changes after a gateway has failed or was deleted, because EC2 would otherwise return that one.
 */
const clientToken = ({ desired }: Situation, { subnetId, dead }: Outlet, allocationId: string): string => {
  const parts = [desired.clusterUid, subnetId, allocationId, ...dead.map(({ id }) => id).sort()];
  return createHash('sha256').update(parts.join(' ')).digest('hex').slice(0, 64);
};

const planGateway = (situation: Situation, outlet: Outlet, free: ObservedAddress[], taken: PoolUse): NetworkPlan => {
  const { addressTags, natGatewayTags } = situation.desired;
  const { intents, now } = situation;
  const { zone, subnetId, failed } = outlet;
  const hidden = hiddenUse(situation, outlet);
  // Its address is in use, so the gateway exists: the wait is as long as EC2 may hide it.
  const keys = [addressIntent(zone), gatewayIntent(zone)];
  const isExpected = keys.some((key) => isFresh(intents[key], now, VISIBLE_SECONDS));
  if (hidden && isExpected) return { actions: [], waiting: [`nat-gateway-${zone}`] };
  // A creation that is repeated with its token returns the same gateway. With another address, it would create a second
  // one.
  const address = hidden ?? takeAddress(free, outlet, situation);
  if (!address) return planAllocation(situation, addressIntent(zone), addressTags, taken);
  if (failed.length >= MAX_FAILURES) {
    const message = `NAT gateways in ${subnetId} failed ${failed.length} times, the last with ${failed.at(-1)?.failure}`;
    return { actions: [], waiting: [], problem: { condition: 'NatGatewaysReady', message } };
  }
  const { allocationId } = address;
  const create = { type: 'CreateNatGateway', subnetId, allocationId, tags: natGatewayTags } as const;
  const intended = isOwn(address, outlet, intents) ? {} : { intent: gatewayIntent(zone), named: allocationId };
  return {
    actions: [{ ...create, clientToken: clientToken(situation, outlet, allocationId), ...intended }],
    waiting: [],
  };
};

const planNatRoutes = (table: ObservedRouteTable, subnet: DesiredSubnet, gatewayId: string): NetworkAction[] => [
  ...planDefaultRoute(table, gatewayId),
  ...(isIpv6Only(subnet) ? planIpv6Route(table, NAT64, gatewayId) : []),
];

const planPrivateRoutes = (situation: Situation, vpcId: string, ways: readonly Outlet[]): NetworkAction[] =>
  situation.desired.subnets
    .filter(({ isPublic }) => !isPublic)
    .flatMap((subnet: DesiredSubnet) => {
      const table = routeTableOf(situation.observed.routeTables, subnetIdOf(situation, subnet, vpcId));
      // A zone without a public subnet uses the way out of another zone; an edge zone prefers that of its parent.
      const near = [subnet.zone, subnet.parentZone].flatMap((name) => ways.find(({ zone }) => zone === name) ?? []);
      const gateway = (near[0] ?? ways[0])?.gateway;
      return table && gateway ? planNatRoutes(table, subnet, gateway.id) : [];
    });

/** Addresses that two runs have allocated for the same zone. */
const planSurplusAddresses = ({ intents, now }: Situation, free: readonly ObservedAddress[]): NetworkAction[] => {
  const pending = Object.entries(intents).some(([key, token]) => key.startsWith('address-') && isFresh(token, now));
  if (pending) return [];
  return free
    .filter(({ tags }) => tags[INTENT_TAG] !== undefined)
    .map(({ allocationId }) => ({ type: 'ReleaseAddress', allocationId }));
};

const planLiveTags = ({ desired: { cluster, natGatewayTags } }: Situation, ways: readonly Outlet[]): NetworkAction[] =>
  ways.flatMap(({ gateway }) => (gateway ? planGatewayTags('natGateway', cluster, gateway, natGatewayTags) : []));

const isPending = ({ gateway }: Outlet): boolean => gateway?.state === 'pending';

/** The condition until AWS has created them, similar to upstream's while it waits. */
const comingOf = (ways: readonly Outlet[]): Pick<NetworkPlan, 'coming'> => {
  const ids = ways.filter(isPending).map(({ gateway }) => gateway?.id);
  if (ids.length === 0) return {};
  return { coming: { condition: 'NatGatewaysReady', message: `${COMING} ${ids.join(', ')}` } };
};

/**
 * One NAT gateway with its own address in each zone that has a private subnet, and the default routes of the private
 * subnets through it. A gateway counts as soon as it is created: the machines' boot scripts wait for it, and the plan
 * does not.
 */
export const planNatGateways = (situation: Situation): NetworkPlan => {
  const choice = chooseVpc(situation.desired, situation.observed.vpcs);
  // The gateways in a user's VPC belong to the user.
  if (choice.state === 'unmanaged') return { actions: [], waiting: [] };
  if (choice.state !== 'ours') return { actions: [], waiting: ['vpc'] };
  const vpcId = choice.vpc.id;
  const ways = outlets(situation, vpcId);
  const free = freeAddresses(situation);
  const taken = { count: 0 };
  const lacking = ways.filter(({ gateway }) => !gateway);
  const gateways = mergePlans(lacking.map((way) => planGateway(situation, way, free, taken)));
  const tagging = planLiveTags(situation, ways);
  const routes = planPrivateRoutes(situation, vpcId, ways);
  const isComplete = ways.every(({ gateway }) => gateway);
  const surplus = isComplete ? planSurplusAddresses(situation, free) : [];
  return { ...gateways, actions: [...gateways.actions, ...tagging, ...routes, ...surplus], ...comingOf(ways) };
};
