import type { Driver, View } from '../driver.ts';
import { inVpcs } from '../filters.ts';
import type { ObservedNetwork } from '../model.ts';
import { isSought } from '../observing.ts';
import { takeDownOwned, vpcsOf } from '../parts.ts';
import type { EndpointReads } from './api.ts';
import { desiredEndpoint } from './desired.ts';
import type { EndpointAction, SeenEndpoints, WantedEndpoint } from './model.ts';
import { planEndpoint } from './plan.ts';

const observe = async (
  ec2: EndpointReads,
  view: View,
  seen: Pick<ObservedNetwork, 'subnets'>,
): Promise<SeenEndpoints> => {
  if (!isSought(view, view.spec?.s3Bucket !== undefined, seen)) return {};
  return { endpoints: await ec2.describeVpcEndpoints(inVpcs(view.ownVpcIds)) };
};

const list = (ids: readonly string[]): string => (ids.length > 0 ? ids.join(', ') : 'none');

export const endpoints = {
  kind: 'endpoint',
  condition: {
    type: 'VpcEndpointsReady',
    failed: 'VpcEndpointsReconciliationFailed',
    isAskedFor: ({ endpoint }) => endpoint !== undefined,
    remaining: (observed) => observed.endpoints?.length || undefined,
  },
  step: 'network',
  desired: desiredEndpoint,
  observe: { stage: 'then', look: observe },
  ownPart: (observed, { isInside }): SeenEndpoints =>
    observed.endpoints ? { endpoints: observed.endpoints.filter(isInside) } : {},
  plan: planEndpoint,
  takeDown: ({ cluster, observed }) =>
    takeDownOwned(cluster, observed.endpoints, 'VPC endpoint', (endpointId) => ({
      type: 'DeleteVpcEndpoint',
      endpointId,
    })),
  inhabits: (observed) => vpcsOf(observed.endpoints),
  operations: {
    CreateVpcEndpoint: {
      reason: 'CreateVPCEndpoint',
      call: (ec2, { vpcId, serviceName, routeTableIds, tags }) =>
        ec2.createVpcEndpoint({ vpcId, serviceName, routeTableIds, tags }),
      tell: ({ serviceName, vpcId }, id) => `Created endpoint ${id} of ${serviceName} in VPC ${vpcId}`,
      drift: 'Network',
    },
    ModifyVpcEndpoint: {
      reason: 'ModifyVPCEndpoint',
      call: (ec2, { endpointId, add, remove }) => ec2.modifyVpcEndpoint({ id: endpointId, add, remove }),
      tell: ({ endpointId, add, remove }) =>
        `Changed the route tables of endpoint ${endpointId}: added ${list(add)}, removed ${list(remove)}`,
      drift: 'Route',
    },
    DeleteVpcEndpoint: {
      reason: 'DeleteVPCEndpoint',
      call: (ec2, { endpointId }) => ec2.deleteVpcEndpoint(endpointId),
      tell: ({ endpointId }) => `Deleted endpoint ${endpointId}`,
      drift: 'Network',
    },
  },
  rights: {
    reads: ['DescribeVpcEndpoints'],
    swept: ['DescribeVpcEndpoints'],
    creates: ['CreateVpcEndpoint'],
    changes: ['ModifyVpcEndpoint', 'DeleteVpcEndpoints'],
    types: ['vpc-endpoint'],
    refersTo: { CreateVpcEndpoint: ['vpc', 'route-table'], ModifyVpcEndpoint: ['vpc', 'route-table'] },
  },
} satisfies Driver<EndpointAction, SeenEndpoints, WantedEndpoint>;
