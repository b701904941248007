import type { Driver } from '../driver.ts';
import { inside, withNamed } from '../observing.ts';
import { vpcsOf } from '../parts.ts';
import { subnetCache } from './cache.ts';
import { desiredSubnets } from './desired.ts';
import type { SeenSubnets, SubnetAction, WantedSubnets } from './model.ts';
import { planSubnets } from './plan.ts';
import { recordSubnets } from './record.ts';
import { takeDownSubnets } from './take-down.ts';

const ranges = (cidrBlock: string, ipv6CidrBlock: string | undefined): string =>
  [cidrBlock, ipv6CidrBlock].filter(Boolean).join(' and ');

export const subnets = {
  kind: 'subnet',
  condition: {
    type: 'SubnetsReady',
    failed: 'SubnetsReconciliationFailed',
    remaining: (observed) => observed.subnets.length,
  },
  step: 'network',
  desired: desiredSubnets,
  observe: {
    stage: 'first',
    look: async (ec2, view): Promise<SeenSubnets> => {
      const found = await inside(view, ec2.describeSubnets);
      return { subnets: await withNamed(found, view.named.subnets, ec2.describeSubnets, 'subnet-id') };
    },
  },
  ownPart: (observed, { isInside }): SeenSubnets => ({ subnets: observed.subnets.filter(isInside) }),
  plan: planSubnets,
  takeDown: takeDownSubnets,
  inhabits: (observed) => vpcsOf(observed.subnets),
  record: recordSubnets,
  operations: {
    CreateSubnet: {
      reason: 'CreateSubnet',
      call: (ec2, { vpcId, zone, cidrBlock, ipv6CidrBlock, tags }) =>
        ec2.createSubnet({ vpcId, zone, cidrBlock, ipv6CidrBlock, tags }),
      tell: ({ zone, cidrBlock, ipv6CidrBlock }, id) =>
        `Created subnet ${id} with the range ${ranges(cidrBlock, ipv6CidrBlock)} in ${zone}`,
      drift: 'Network',
    },
    MapPublicIpOnLaunch: {
      reason: 'ModifySubnetAttributes',
      call: (ec2, { subnetId }) => ec2.mapPublicIpOnLaunch(subnetId),
      tell: ({ subnetId }) => `Switched on public addresses in subnet ${subnetId}`,
      drift: 'Network',
      drifted: ({ subnetId }) => `subnet ${subnetId} no longer assigns public addresses`,
    },
    SetSubnetAttribute: {
      reason: 'ModifySubnetAttributes',
      call: (ec2, { subnetId, attribute }) => ec2.setSubnetAttribute({ subnetId, attribute }),
      tell: ({ subnetId, attribute }) => `Switched on ${attribute} of subnet ${subnetId}`,
      drift: 'Network',
    },
    SetSubnetHostnames: {
      reason: 'ModifySubnetAttributes',
      call: (ec2, { subnetId, hostnameType }) => ec2.setSubnetHostnames({ subnetId, hostnameType }),
      tell: ({ subnetId, hostnameType }) => `Instances in subnet ${subnetId} get host names of type ${hostnameType}`,
      drift: 'Network',
    },
    DeleteSubnet: {
      reason: 'DeleteSubnet',
      call: (ec2, { subnetId }) => ec2.deleteSubnet(subnetId),
      tell: ({ subnetId }) => `Deleted subnet ${subnetId}`,
      drift: 'Network',
    },
  },
  cache: subnetCache,
  rights: {
    reads: ['DescribeSubnets', 'DescribeAvailabilityZones'],
    swept: ['DescribeSubnets'],
    creates: ['CreateSubnet'],
    changes: ['ModifySubnetAttribute', 'DeleteSubnet'],
    types: ['subnet'],
    refersTo: { CreateSubnet: ['vpc'] },
  },
} satisfies Driver<SubnetAction, SeenSubnets, WantedSubnets>;
