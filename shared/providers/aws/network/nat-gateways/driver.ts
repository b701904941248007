import type { Driver } from '../driver.ts';
import { inside } from '../observing.ts';
import { sharedTags, vpcsOf } from '../parts.ts';
import type { NatGatewayAction, SeenNatGateways, WantedNatGateways } from './model.ts';
import { planNatGateways } from './plan.ts';
import { recordNatGateways } from './record.ts';
import { isGone, takeDownNatGateways } from './take-down.ts';

export const natGateways = {
  kind: 'natGateway',
  condition: {
    type: 'NatGatewaysReady',
    failed: 'NatGatewaysReconciliationFailed',
    remaining: (observed) => observed.natGateways.filter((one) => !isGone(one)).length,
  },
  step: 'natGateways',
  desired: (input): WantedNatGateways => ({ natGatewayTags: sharedTags(input, 'nat') }),
  observe: {
    stage: 'first',
    look: async (ec2, view): Promise<SeenNatGateways> => ({
      natGateways: await inside(view, ec2.describeNatGateways),
    }),
  },
  ownPart: (observed, { isInside }): SeenNatGateways => ({ natGateways: observed.natGateways.filter(isInside) }),
  plan: planNatGateways,
  takeDown: takeDownNatGateways,
  inhabits: (observed) => vpcsOf(observed.natGateways.filter((one) => !isGone(one))),
  record: recordNatGateways,
  operations: {
    CreateNatGateway: {
      reason: 'CreateNATGateway',
      call: (ec2, { subnetId, allocationId, clientToken, tags }) =>
        ec2.createNatGateway({ subnetId, allocationId, clientToken, tags }),
      tell: ({ subnetId, allocationId }, id) => `Created NAT gateway ${id} in subnet ${subnetId} with ${allocationId}`,
      drift: 'NatGateway',
      drifted: ({ subnetId }) => `subnet ${subnetId} has no NAT gateway any more`,
    },
    DeleteNatGateway: {
      reason: 'DeleteNATGateway',
      call: (ec2, { natGatewayId }) => ec2.deleteNatGateway(natGatewayId),
      tell: ({ natGatewayId }) => `Requested the deletion of NAT gateway ${natGatewayId}`,
      drift: 'NatGateway',
    },
  },
  cache: {
    reads: ['describeNatGateways'],
    passing: { describeNatGateways: (gateways) => gateways.some(({ state }) => state === 'pending') },
    // An address that seems unused would be released, so its use must not depend only on the gateway's state.
    invalidates: { createNatGateway: ['describeNatGateways', 'describeAddresses'] },
  },
  rights: {
    reads: ['DescribeNatGateways'],
    swept: ['DescribeNatGateways'],
    creates: ['CreateNatGateway'],
    changes: ['DeleteNatGateway'],
    types: ['natgateway'],
    refersTo: { CreateNatGateway: ['subnet'] },
  },
} satisfies Driver<NatGatewayAction, SeenNatGateways, WantedNatGateways>;
