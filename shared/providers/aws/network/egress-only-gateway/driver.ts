import type { Driver, View } from '../driver.ts';
import type { ObservedNetwork } from '../model.ts';
import { isSought } from '../observing.ts';
import { sharedTags, takeDownOwned, vpcsOf } from '../parts.ts';
import { withVpcSpec } from '../spec.ts';
import type { EgressOnlyGatewayReads } from './api.ts';
import type { EgressOnlyGatewayAction, SeenEgressOnlyGateways, WantedEgressOnlyGateway } from './model.ts';
import { egressOnlyGatewayOf, planEgressOnlyGateway } from './plan.ts';

const observe = async (
  ec2: EgressOnlyGatewayReads,
  view: View,
  seen: Pick<ObservedNetwork, 'subnets'>,
): Promise<SeenEgressOnlyGateways> => {
  if (!isSought(view, view.spec?.network?.vpc?.ipv6 !== undefined, seen)) return {};
  const found = await ec2.describeEgressOnlyInternetGateways(view.purpose === 'deletion' ? [] : [view.byTag]);
  return { egressOnlyGateways: found.filter(({ vpcId }) => view.ownVpcIds.includes(vpcId)) };
};

export const egressOnlyGateway = {
  kind: 'egressOnlyGateway',
  condition: {
    type: 'EgressOnlyInternetGatewayReady',
    failed: 'EgressOnlyInternetGatewayFailed',
    isAskedFor: ({ egressOnlyGatewayTags }) => egressOnlyGatewayTags !== undefined,
    remaining: ({ egressOnlyGateways }) => egressOnlyGateways?.length || undefined,
  },
  step: 'network',
  desired: (input): WantedEgressOnlyGateway =>
    input.spec.network?.vpc?.ipv6 ? { egressOnlyGatewayTags: sharedTags(input, 'eigw') } : {},
  observe: { stage: 'then', look: observe },
  ownPart: ({ egressOnlyGateways }, { isInside }): SeenEgressOnlyGateways =>
    egressOnlyGateways ? { egressOnlyGateways: egressOnlyGateways.filter(isInside) } : {},
  plan: planEgressOnlyGateway,
  takeDown: ({ cluster, observed }) =>
    takeDownOwned(cluster, observed.egressOnlyGateways, 'egress-only internet gateway', (gatewayId) => ({
      type: 'DeleteEgressOnlyInternetGateway',
      gatewayId,
    })),
  inhabits: ({ egressOnlyGateways }) => vpcsOf(egressOnlyGateways),
  record: (awsCluster, found) => {
    const gateway = egressOnlyGatewayOf(found, found.vpc.id);
    return withVpcSpec(awsCluster, (vpc) =>
      vpc.ipv6 && gateway ? { ...vpc, ipv6: { ...vpc.ipv6, egressOnlyInternetGatewayId: gateway.id } } : vpc,
    );
  },
  operations: {
    CreateEgressOnlyInternetGateway: {
      reason: 'CreateEgressOnlyInternetGateway',
      call: (ec2, { vpcId, tags }) => ec2.createEgressOnlyInternetGateway({ vpcId, tags }),
      tell: ({ vpcId }, id) => `Created egress-only internet gateway ${id} of VPC ${vpcId}`,
      drift: 'Network',
    },
    DeleteEgressOnlyInternetGateway: {
      reason: 'DeleteEgressOnlyInternetGateway',
      call: (ec2, { gatewayId }) => ec2.deleteEgressOnlyInternetGateway(gatewayId),
      tell: ({ gatewayId }) => `Deleted egress-only internet gateway ${gatewayId}`,
      drift: 'Network',
    },
  },
  rights: {
    reads: ['DescribeEgressOnlyInternetGateways'],
    swept: ['DescribeEgressOnlyInternetGateways'],
    creates: ['CreateEgressOnlyInternetGateway'],
    changes: ['DeleteEgressOnlyInternetGateway'],
    types: ['egress-only-internet-gateway'],
    refersTo: { CreateEgressOnlyInternetGateway: ['vpc'] },
  },
} satisfies Driver<EgressOnlyGatewayAction, SeenEgressOnlyGateways, WantedEgressOnlyGateway>;
