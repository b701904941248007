import type { SubnetSpec } from '../../../../kinds/index.ts';
import type { Driver, View } from '../driver.ts';
import { inVpcs } from '../filters.ts';
import type { ObservedNetwork } from '../model.ts';
import { isSought } from '../observing.ts';
import { takeDownOwned, vpcsOf } from '../parts.ts';
import { withVpcSpec } from '../spec.ts';
import type { CarrierGatewayReads } from './api.ts';
import { desiredCarrierGateway } from './desired.ts';
import type { CarrierGatewayAction, SeenCarrierGateways, WantedCarrierGateway } from './model.ts';
import { carrierGatewayOf, planCarrierGateway } from './plan.ts';

const isInWavelengthZone = ({ zoneType }: SubnetSpec): boolean => zoneType === 'wavelength-zone';

const observe = async (
  ec2: CarrierGatewayReads,
  view: View,
  seen: Pick<ObservedNetwork, 'subnets'>,
): Promise<SeenCarrierGateways> => {
  const isAskedFor = (view.spec?.network?.subnets ?? []).some(isInWavelengthZone);
  if (!isSought(view, isAskedFor, seen)) return {};
  return { carrierGateways: await ec2.describeCarrierGateways(inVpcs(view.ownVpcIds)) };
};

export const carrierGateway = {
  kind: 'carrierGateway',
  condition: {
    type: 'CarrierGatewayReady',
    failed: 'CarrierGatewayFailed',
    isAskedFor: ({ carrierGatewayTags }) => carrierGatewayTags !== undefined,
    remaining: ({ carrierGateways }) => carrierGateways?.length || undefined,
  },
  step: 'network',
  desired: desiredCarrierGateway,
  observe: { stage: 'then', look: observe },
  ownPart: ({ carrierGateways }, { isInside }): SeenCarrierGateways =>
    carrierGateways ? { carrierGateways: carrierGateways.filter(isInside) } : {},
  plan: planCarrierGateway,
  takeDown: ({ cluster, observed }) =>
    takeDownOwned(cluster, observed.carrierGateways, 'carrier gateway', (gatewayId) => ({
      type: 'DeleteCarrierGateway',
      gatewayId,
    })),
  inhabits: ({ carrierGateways }) => vpcsOf(carrierGateways),
  record: (awsCluster, { desired, observed, vpc: { id } }) => {
    const gateway = desired.carrierGatewayTags && carrierGatewayOf({ observed }, id);
    return gateway ? withVpcSpec(awsCluster, (vpc) => ({ ...vpc, carrierGatewayId: gateway.id })) : awsCluster;
  },
  operations: {
    CreateCarrierGateway: {
      reason: 'CreateCarrierGateway',
      call: (ec2, { vpcId, tags }) => ec2.createCarrierGateway({ vpcId, tags }),
      tell: ({ vpcId }, id) => `Created carrier gateway ${id} of VPC ${vpcId}`,
      drift: 'Network',
    },
    DeleteCarrierGateway: {
      reason: 'DeleteCarrierGateway',
      call: (ec2, { gatewayId }) => ec2.deleteCarrierGateway(gatewayId),
      tell: ({ gatewayId }) => `Deleted carrier gateway ${gatewayId}`,
      drift: 'Network',
    },
  },
  rights: {
    reads: ['DescribeCarrierGateways'],
    swept: ['DescribeCarrierGateways'],
    creates: ['CreateCarrierGateway'],
    changes: ['DeleteCarrierGateway'],
    types: ['carrier-gateway'],
    refersTo: { CreateCarrierGateway: ['vpc'] },
  },
} satisfies Driver<CarrierGatewayAction, SeenCarrierGateways, WantedCarrierGateway>;
