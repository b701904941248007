import { describe, expect, it } from 'vitest';
import { buildTags, INTENT_TAG, OWNER_TAG, type Tags } from '../../tags.ts';
import type { ObservedAddress } from '../addresses/model.ts';
import { desiredNetwork } from '../desired.ts';
import { newIntent } from '../intents.ts';
import type { ObservedNetwork } from '../model.ts';
import type { ObservedRouteTable } from '../route-tables/model.ts';
import { planDeletion } from '../take-down.ts';
import type { ObservedNatGateway } from './model.ts';
import { planNatGateways } from './plan.ts';

const CLUSTER = { namespace: 'default', name: 'red' };
const NOW = new Date('2026-11-20T12:00:00Z');
const LONG_AGO = newIntent(new Date('2026-11-20T11:00:00Z'), 'old');
const MINUTES_AGO = newIntent(new Date('2026-11-20T11:56:00Z'), 'minutes');
const JUST_NOW = newIntent(new Date('2026-11-20T11:59:50Z'), 'new');

const tags = (name: string, extra: Tags = {}): Tags => ({
  ...buildTags({ cluster: CLUSTER, name: `red-${name}`, role: 'common' }),
  ...extra,
});

const subnet = (id: string, cidrBlock: string, isPublic: boolean) => ({
  spec: { id, cidrBlock, availabilityZone: 'a', isPublic },
  observed: { id, vpcId: 'vpc-1', zone: 'a', cidrBlock, mapsPublicIp: isPublic, tags: tags('subnet') },
});
const PUBLIC = subnet('subnet-1', '10.0.0.0/17', true);
const SUBNETS = [PUBLIC, subnet('subnet-2', '10.0.128.0/17', false)];

const desired = desiredNetwork({
  cluster: CLUSTER,
  clusterUid: 'u-1',
  spec: { network: { vpc: { id: 'vpc-1' }, subnets: SUBNETS.map(({ spec }) => spec) } },
  natIps: [],
});

const table = (routes: ObservedRouteTable['routes'] = []): ObservedRouteTable => ({
  id: 'rtb-2',
  vpcId: 'vpc-1',
  isMain: false,
  tags: tags('rt'),
  routes,
  associations: [{ id: 'rtbassoc-2', subnetId: 'subnet-2' }],
});

const address = (allocationId: string, changes: Partial<ObservedAddress> = {}): ObservedAddress => ({
  allocationId,
  publicIp: '198.51.100.1',
  isAssociated: false,
  tags: tags('eip-common', { [INTENT_TAG]: LONG_AGO }),
  ...changes,
});

const gateway = (id: string, state: ObservedNatGateway['state']): ObservedNatGateway => ({
  id,
  vpcId: 'vpc-1',
  subnetId: 'subnet-1',
  state,
  allocationId: 'eipalloc-1',
  tags: tags('nat'),
  ...(state === 'failed' ? { failure: 'InternalError: no luck' } : {}),
});

const observed = (changes: Partial<ObservedNetwork> = {}): ObservedNetwork => ({
  vpcs: [{ id: 'vpc-1', cidrBlock: '10.0.0.0/16', tags: tags('vpc') }],
  subnets: SUBNETS.map((one) => one.observed),
  internetGateways: [],
  routeTables: [table()],
  natGateways: [],
  addresses: [],
  securityGroups: [],
  networkInterfaces: [],
  ...changes,
});

const ROUTED = [table([{ destination: '0.0.0.0/0', target: 'nat-1', isBlackhole: false }])];
const IN_USE = address('eipalloc-1', { isAssociated: true });
const inUseBy = (token: string): ObservedAddress => ({ ...IN_USE, tags: { ...IN_USE.tags, [INTENT_TAG]: token } });

/** The intent for a gateway with this address. */
const named = (token: string): string => token.replace(/\w+$/, 'eipalloc-1');

describe('the plan of NAT gateways', () => {
  it.each<{ reason: string; given: Partial<ObservedNetwork>; intents?: Record<string, string>; types: string[] }>([
    { reason: 'there is no address yet', given: {}, types: ['AllocateAddress'] },
    { reason: 'an address was requested a moment ago', given: {}, intents: { 'address-a': JUST_NOW }, types: [] },
    { reason: 'that request was long ago', given: {}, intents: { 'address-a': LONG_AGO }, types: ['AllocateAddress'] },
    { reason: 'there is an address', given: { addresses: [address('eipalloc-1')] }, types: ['CreateNatGateway'] },
    {
      reason: 'its address is in use by a gateway that may not be visible yet',
      given: { addresses: [inUseBy(JUST_NOW)] },
      intents: { 'address-a': JUST_NOW },
      types: [],
    },
    {
      reason: 'its address is in use by a gateway that has been invisible for four minutes',
      given: { addresses: [inUseBy(MINUTES_AGO)] },
      intents: { 'address-a': MINUTES_AGO },
      types: [],
    },
    {
      reason: 'its address is in use by a gateway that has been invisible for a long time',
      given: { addresses: [inUseBy(LONG_AGO)] },
      intents: { 'address-a': LONG_AGO },
      types: ['CreateNatGateway'],
    },
    {
      reason: 'its address is still in use by a gateway that is deleted or has failed',
      given: { addresses: [inUseBy(LONG_AGO)], natGateways: [gateway('nat-1', 'deleting')] },
      intents: { 'address-a': LONG_AGO },
      types: ['AllocateAddress'],
    },
    {
      reason: 'the address of a deleted gateway is in use by another one that may not be visible yet',
      given: { addresses: [inUseBy(LONG_AGO)], natGateways: [gateway('nat-1', 'deleted')] },
      intents: { 'gateway-a': named(JUST_NOW) },
      types: [],
    },
    {
      reason: 'that gateway has been invisible for a long time',
      given: { addresses: [inUseBy(LONG_AGO)], natGateways: [gateway('nat-1', 'deleted')] },
      intents: { 'gateway-a': named(LONG_AGO) },
      types: ['CreateNatGateway'],
    },
    {
      reason: 'a gateway that still has the address is deleted',
      given: { addresses: [inUseBy(LONG_AGO)], natGateways: [gateway('nat-1', 'deleting')] },
      intents: { 'gateway-a': named(LONG_AGO) },
      types: ['AllocateAddress'],
    },
    {
      reason: 'the only free address is reserved for another zone',
      given: { addresses: [address('eipalloc-1')] },
      intents: { 'gateway-b': named(JUST_NOW) },
      types: ['AllocateAddress'],
    },
    {
      reason: 'the gateway exists, ready or not',
      given: { addresses: [IN_USE], natGateways: [gateway('nat-1', 'pending')] },
      types: ['SetDefaultRoute'],
    },
    {
      reason: 'the route is a blackhole',
      given: {
        addresses: [IN_USE],
        natGateways: [gateway('nat-1', 'available')],
        routeTables: [table([{ destination: '0.0.0.0/0', target: 'nat-1', isBlackhole: true }])],
      },
      types: ['SetDefaultRoute'],
    },
    {
      reason: 'everything exists',
      given: { addresses: [IN_USE], natGateways: [gateway('nat-1', 'available')], routeTables: ROUTED },
      types: [],
    },
    {
      reason: 'two runs allocated an address',
      given: {
        addresses: [IN_USE, address('eipalloc-2')],
        natGateways: [gateway('nat-1', 'available')],
        routeTables: ROUTED,
      },
      types: ['ReleaseAddress'],
    },
    {
      reason: 'the gateway failed once',
      given: { addresses: [address('eipalloc-1')], natGateways: [gateway('nat-1', 'failed')] },
      types: ['CreateNatGateway'],
    },
  ])('is $types when $reason', ({ given, intents = {}, types }) => {
    const plan = planNatGateways({ desired, observed: observed(given), intents, now: NOW });

    expect(plan.actions.map(({ type }) => type)).toEqual(types);
  });

  it("sets missing tags on a gateway, but not on one as upstream created it, or on a user's", () => {
    const tagging = (given: Tags) => {
      const natGateways = [{ ...gateway('nat-1', 'available'), tags: given }];
      const there = observed({ addresses: [IN_USE], natGateways, routeTables: ROUTED });
      return planNatGateways({ desired, observed: there, intents: {}, now: NOW }).actions;
    };
    const { [OWNER_TAG]: _owner, ...ofUpstream } = tags('nat');

    expect(tagging(tags('nat', { Name: 'mine' }))).toEqual([
      { type: 'CreateTags', kind: 'natGateway', resourceId: 'nat-1', tags: { Name: 'red-nat' } },
    ]);
    expect(tagging(ofUpstream)).toEqual([]);
    expect(tagging({ Name: 'mine' })).toEqual([]);
  });

  it("stops if gateways fail repeatedly, with AWS's message", () => {
    const natGateways = ['nat-1', 'nat-2', 'nat-3'].map((id) => gateway(id, 'failed'));
    const given = observed({ addresses: [address('eipalloc-1')], natGateways });

    const plan = planNatGateways({ desired, observed: given, intents: {}, now: NOW });

    expect(plan.actions).toEqual([]);
    expect(plan.problem?.message).toBe('NAT gateways in subnet-1 failed 3 times, the last with InternalError: no luck');
  });

  it('records an intent for a gateway only if its address was not allocated for it', () => {
    const intentOf = (intents: Record<string, string>) => {
      const given = observed({ addresses: [address('eipalloc-1')] });
      const [action] = planNatGateways({ desired, observed: given, intents, now: NOW }).actions;
      return action && 'named' in action ? [action.intent, action.named] : undefined;
    };
    expect(intentOf({})).toEqual(['gateway-a', 'eipalloc-1']);
    expect(intentOf({ 'address-a': LONG_AGO })).toBeUndefined();
    expect(intentOf({ 'gateway-a': named(JUST_NOW) })).toBeUndefined();
  });

  it('requests a gateway that is not visible yet with the token of its creation', () => {
    const token = (addresses: ObservedAddress[]) =>
      planNatGateways({
        desired,
        observed: observed({ addresses }),
        intents: { 'address-a': LONG_AGO },
        now: NOW,
      }).actions.map((action) => action.type === 'CreateNatGateway' && action.clientToken);
    expect(token([inUseBy(LONG_AGO)])).toEqual(token([address('eipalloc-1')]));
  });

  it('uses the same token for the same gateway, and another one after a failure or a deletion', () => {
    const tokenFor = (natGateways: ObservedNatGateway[]) => {
      const given = observed({ addresses: [address('eipalloc-1')], natGateways });
      const [action] = planNatGateways({ desired, observed: given, intents: {}, now: NOW }).actions;
      return action?.type === 'CreateNatGateway' ? action.clientToken : undefined;
    };

    expect(tokenFor([])).toBe(tokenFor([]));
    expect(tokenFor([])).not.toBe(tokenFor([gateway('nat-1', 'failed')]));
    expect(tokenFor([])).not.toBe(tokenFor([gateway('nat-1', 'deleted')]));
  });
});

describe('the plan of a deletion', () => {
  const FOREIGN = buildTags({ cluster: { namespace: 'other', name: 'red' }, role: 'common' });
  const empty = observed({ vpcs: [], subnets: [], routeTables: [] });
  const eni = { id: 'eni-1', vpcId: 'vpc-1', subnetId: 'subnet-2', description: 'mine', groupIds: [] };
  const bare = { subnets: [], routeTables: [] };

  it.each<{
    reason: string;
    given: ObservedNetwork;
    intents?: Record<string, string>;
    types: string[];
    blocker?: RegExp;
  }>([
    { reason: 'nothing is left', given: empty, types: [] },
    {
      reason: 'something was requested a moment ago',
      given: empty,
      intents: { vpc: JUST_NOW },
      types: [],
      blocker: /^vpc, which was requested a moment ago/,
    },
    { reason: 'only the VPC is left', given: observed(bare), types: ['DeleteVpc'] },
    {
      reason: 'only an address was allocated',
      given: { ...empty, addresses: [address('eipalloc-1')] },
      types: ['ReleaseAddress'],
    },
    {
      reason: 'a gateway was created and not attached',
      given: { ...empty, internetGateways: [{ id: 'igw-1', tags: tags('igw') }] },
      types: ['DeleteInternetGateway'],
    },
    {
      reason: 'a NAT gateway blocks its subnet, its address and the internet gateway',
      given: observed({
        natGateways: [gateway('nat-1', 'available')],
        addresses: [IN_USE],
        internetGateways: [{ id: 'igw-1', vpcId: 'vpc-1', tags: tags('igw') }],
      }),
      types: ['DeleteNatGateway', 'DisassociateRouteTable', 'DeleteSubnet'],
      blocker: /address eipalloc-1 .* in use/,
    },
    {
      reason: "a foreign interface is in the cluster's subnet",
      given: observed({ routeTables: [], networkInterfaces: [eni] }),
      types: ['DeleteSubnet'],
      blocker: /network interface eni-1 \(mine\)/,
    },
    {
      reason: 'a cluster of the same name in another namespace has resources',
      given: {
        ...empty,
        internetGateways: [{ id: 'igw-9', tags: FOREIGN }],
        addresses: [address('e', { tags: FOREIGN })],
      },
      types: [],
    },
    {
      reason: "a user has added a subnet to the cluster's VPC",
      given: observed({ ...bare, subnets: [{ ...PUBLIC.observed, tags: {} }] }),
      types: [],
      blocker: /subnet subnet-1, which does not belong to the cluster/,
    },
  ])('is $types when $reason', ({ given, intents = {}, types, blocker }) => {
    const plan = planDeletion({ cluster: CLUSTER, observed: given, intents, now: NOW });

    expect(plan.actions.map(({ type }) => type)).toEqual(types);
    expect(plan.isDone).toBe(types.length === 0 && blocker === undefined);
    if (blocker) expect(plan.blockers.join('\n')).toMatch(blocker);
    else expect(plan.blockers).toEqual([]);
  });
});
