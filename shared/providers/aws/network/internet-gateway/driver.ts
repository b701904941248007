import { isOwnedBy } from '../../tags.ts';
import type { Driver, View } from '../driver.ts';
import { attachedTo } from '../filters.ts';
import { unique } from '../observing.ts';
import { sharedTags, vpcsOf } from '../parts.ts';
import { withVpcSpec } from '../spec.ts';
import type { InternetGatewayReads } from './api.ts';
import { internetGatewayCache } from './cache.ts';
import type {
  InternetGatewayAction,
  ObservedInternetGateway,
  SeenInternetGateways,
  WantedInternetGateway,
} from './model.ts';
import { planInternetGateway } from './plan.ts';
import { takeDownInternetGateways } from './take-down.ts';

const observe = async (ec2: InternetGatewayReads, { cluster, byTag, vpcIds }: View): Promise<SeenInternetGateways> => {
  const tagged = await ec2.describeInternetGateways([byTag]);
  // A VPC has at most one.
  const open = vpcIds.filter((id) => !tagged.some(({ vpcId }) => vpcId === id));
  const others = open.length > 0 ? await ec2.describeInternetGateways(attachedTo(open)) : [];
  // The ownership tag contains the cluster's name without its namespace, so another cluster with the same name may have
  // the same tag.
  const isShown = ({ tags, vpcId = '' }: ObservedInternetGateway) => isOwnedBy(cluster, tags) || vpcIds.includes(vpcId);
  return { internetGateways: unique([...tagged, ...others]).filter(isShown) };
};

export const internetGateway = {
  kind: 'internetGateway',
  condition: {
    type: 'InternetGatewayReady',
    failed: 'InternetGatewayFailed',
    remaining: ({ internetGateways }) => internetGateways.length,
  },
  step: 'network',
  desired: (input): WantedInternetGateway => ({ internetGatewayTags: sharedTags(input, 'igw') }),
  observe: { stage: 'first', look: observe },
  ownPart: ({ internetGateways }, { isInside, isOurs }): SeenInternetGateways => ({
    internetGateways: internetGateways.filter((one) =>
      one.vpcId === undefined ? isOurs(one) : isInside({ vpcId: one.vpcId }),
    ),
  }),
  plan: planInternetGateway,
  takeDown: takeDownInternetGateways,
  inhabits: ({ internetGateways }) => vpcsOf(internetGateways),
  record: (awsCluster, { observed, vpc: { id } }) => {
    const internetGatewayId = observed.internetGateways.find(({ vpcId }) => vpcId === id)?.id;
    return internetGatewayId ? withVpcSpec(awsCluster, (vpc) => ({ ...vpc, internetGatewayId })) : awsCluster;
  },
  operations: {
    CreateInternetGateway: {
      reason: 'CreateInternetGateway',
      call: (ec2, { tags }) => ec2.createInternetGateway(tags),
      tell: (_, id) => `Created internet gateway ${id}`,
      drift: 'Network',
    },
    AttachInternetGateway: {
      reason: 'AttachInternetGateway',
      call: (ec2, { internetGatewayId, vpcId }) => ec2.attachInternetGateway({ internetGatewayId, vpcId }),
      tell: ({ internetGatewayId, vpcId }) => `Attached internet gateway ${internetGatewayId} to VPC ${vpcId}`,
      drift: 'Network',
      drifted: ({ internetGatewayId, vpcId }) =>
        `internet gateway ${internetGatewayId} is not attached to VPC ${vpcId}`,
    },
    DetachInternetGateway: {
      reason: 'DetachInternetGateway',
      call: (ec2, { internetGatewayId, vpcId }) => ec2.detachInternetGateway({ internetGatewayId, vpcId }),
      tell: ({ internetGatewayId, vpcId }) => `Detached internet gateway ${internetGatewayId} from VPC ${vpcId}`,
      drift: 'Network',
    },
    DeleteInternetGateway: {
      reason: 'DeleteInternetGateway',
      call: (ec2, { internetGatewayId }) => ec2.deleteInternetGateway(internetGatewayId),
      tell: ({ internetGatewayId }) => `Deleted internet gateway ${internetGatewayId}`,
      drift: 'Network',
    },
  },
  cache: internetGatewayCache,
  rights: {
    reads: ['DescribeInternetGateways'],
    swept: ['DescribeInternetGateways'],
    creates: ['CreateInternetGateway'],
    changes: ['AttachInternetGateway', 'DetachInternetGateway', 'DeleteInternetGateway'],
    types: ['internet-gateway'],
  },
} satisfies Driver<InternetGatewayAction, SeenInternetGateways, WantedInternetGateway>;
