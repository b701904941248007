import type { Clock } from '../../../clock.ts';
import { BALANCING_LESSONS } from './balancing-lessons.ts';
import type { Ec2Network } from './ec2-network.ts';
import type { Elbv2 } from './elbv2.ts';
import { NETWORK_LESSONS } from './network-lessons.ts';
import { createPortMemory, type PortMemory } from './port-memory.ts';

/** While a cluster comes to be, passes follow each other by seconds; what others do meanwhile is seen as by the sweep. */
const SECONDS = 300;

const VPCS = ['describeVpcs', 'describeVpcDns'] as const;
const ROUTES = ['describeRouteTables'] as const;
const GROUPS = ['describeSecurityGroups'] as const;

/** For the networks of clusters: what a creation does not touch is not read again in the next round. */
export const createNetworkMemory = (clock: Pick<Clock, 'now'>): PortMemory<Ec2Network> =>
  createPortMemory<Ec2Network>({
    clock,
    seconds: SECONDS,
    reads: [
      ...VPCS,
      ...ROUTES,
      ...GROUPS,
      'describeSubnets',
      'describeInternetGateways',
      'describeNatGateways',
      'describeAddresses',
    ],
    lessons: NETWORK_LESSONS,
    changes: {
      setSubnetAttribute: ['describeSubnets'],
      setSubnetHostnames: ['describeSubnets'],
      replaceRoute: ROUTES,
      revokeIngress: GROUPS,
      revokeEgressToGroups: GROUPS,
      allocateAddress: ['describeAddresses'],
      // An address that looked free would be given back: whether it is taken is not left to what the gateway says of itself.
      createNatGateway: ['describeNatGateways', 'describeAddresses'],
      runBastion: [],
    },
  });

/** For their load balancers. Which targets are registered is always asked: the machines' own executions change that. */
export const createBalancingMemory = (clock: Pick<Clock, 'now'>): PortMemory<Elbv2> =>
  createPortMemory<Elbv2>({
    clock,
    seconds: SECONDS,
    reads: [
      'describeLoadBalancer',
      'describeLoadBalancerAttributes',
      'describeListeners',
      'describeTargetGroup',
      'describeTargetGroupsOf',
      'describeTargetGroupAttributes',
      'describeTags',
    ],
    lessons: BALANCING_LESSONS,
    changes: { registerTarget: [] },
  });
