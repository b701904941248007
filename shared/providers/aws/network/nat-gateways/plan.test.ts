import { describe, expect, it } from 'vitest';
import { OWNER_TAG, type Tags } from '../../tags.ts';
import type { ObservedAddress } from '../addresses/model.ts';
import type { ObservedNetwork } from '../model.ts';
import {
  address,
  DESIRED,
  gateway,
  IN_USE,
  inUseBy,
  JUST_NOW,
  LONG_AGO,
  MINUTES_AGO,
  NOW,
  named,
  observed,
  ROUTED,
  routeTable,
  tags,
} from './fixtures.ts';
import type { ObservedNatGateway } from './model.ts';
import { planNatGateways } from './plan.ts';

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
        routeTables: [routeTable([{ destination: '0.0.0.0/0', target: 'nat-1', isBlackhole: true }])],
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
    const plan = planNatGateways({ desired: DESIRED, observed: observed(given), intents, now: NOW });

    expect(plan.actions.map(({ type }) => type)).toEqual(types);
  });

  it("sets missing tags on a gateway, but not on one as upstream created it, or on a user's", () => {
    const tagging = (given: Tags) => {
      const natGateways = [{ ...gateway('nat-1', 'available'), tags: given }];
      const there = observed({ addresses: [IN_USE], natGateways, routeTables: ROUTED });
      return planNatGateways({ desired: DESIRED, observed: there, intents: {}, now: NOW }).actions;
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

    const plan = planNatGateways({ desired: DESIRED, observed: given, intents: {}, now: NOW });

    expect(plan.actions).toEqual([]);
    expect(plan.problem?.message).toBe('NAT gateways in subnet-1 failed 3 times, the last with InternalError: no luck');
  });

  it('records an intent for a gateway only if its address was not allocated for it', () => {
    const intentOf = (intents: Record<string, string>) => {
      const given = observed({ addresses: [address('eipalloc-1')] });
      const [action] = planNatGateways({ desired: DESIRED, observed: given, intents, now: NOW }).actions;
      return action && 'named' in action ? [action.intent, action.named] : undefined;
    };
    expect(intentOf({})).toEqual(['gateway-a', 'eipalloc-1']);
    expect(intentOf({ 'address-a': LONG_AGO })).toBeUndefined();
    expect(intentOf({ 'gateway-a': named(JUST_NOW) })).toBeUndefined();
  });

  it('requests a gateway that is not visible yet with the token of its creation', () => {
    const token = (addresses: ObservedAddress[]) =>
      planNatGateways({
        desired: DESIRED,
        observed: observed({ addresses }),
        intents: { 'address-a': LONG_AGO },
        now: NOW,
      }).actions.map((action) => action.type === 'CreateNatGateway' && action.clientToken);
    expect(token([inUseBy(LONG_AGO)])).toEqual(token([address('eipalloc-1')]));
  });

  it('uses the same token for the same gateway, and another one after a failure or a deletion', () => {
    const tokenFor = (natGateways: ObservedNatGateway[]) => {
      const given = observed({ addresses: [address('eipalloc-1')], natGateways });
      const [action] = planNatGateways({ desired: DESIRED, observed: given, intents: {}, now: NOW }).actions;
      return action?.type === 'CreateNatGateway' ? action.clientToken : undefined;
    };

    expect(tokenFor([])).toBe(tokenFor([]));
    expect(tokenFor([])).not.toBe(tokenFor([gateway('nat-1', 'failed')]));
    expect(tokenFor([])).not.toBe(tokenFor([gateway('nat-1', 'deleted')]));
  });
});
