import { describe, expect, it } from 'vitest';
import { buildTags } from '../tags.ts';
import type { ObservedNetwork } from './model.ts';
import { address, CLUSTER, gateway, IN_USE, JUST_NOW, NOW, observed, PUBLIC, tags } from './nat-gateways/fixtures.ts';
import { planDeletion } from './take-down.ts';

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
