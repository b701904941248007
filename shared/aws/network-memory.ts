import type { Clock } from '../clock.ts';
import type { Ec2Network } from './ec2-network.ts';
import type { Elbv2 } from './elbv2.ts';
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
    changes: {
      // What is in a new VPC is asked for by its id, so that nothing of it is known before.
      createVpc: VPCS,
      modifyVpcAttribute: ['describeVpcDns'],
      createSubnet: ['describeSubnets'],
      mapPublicIpOnLaunch: ['describeSubnets'],
      setSubnetAttribute: ['describeSubnets'],
      setSubnetHostnames: ['describeSubnets'],
      createInternetGateway: ['describeInternetGateways'],
      attachInternetGateway: ['describeInternetGateways'],
      createRouteTable: ROUTES,
      associateRouteTable: ROUTES,
      createRoute: ROUTES,
      replaceRoute: ROUTES,
      createSecurityGroup: GROUPS,
      authorizeIngress: GROUPS,
      revokeIngress: GROUPS,
      revokeEgressToGroups: GROUPS,
      allocateAddress: ['describeAddresses'],
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
    changes: {
      createLoadBalancer: ['describeLoadBalancer'],
      setLoadBalancerAttributes: ['describeLoadBalancerAttributes'],
      createTargetGroup: ['describeTargetGroup'],
      setTargetGroupAttributes: ['describeTargetGroupAttributes'],
      createListener: ['describeListeners', 'describeTargetGroupsOf'],
      registerTarget: [],
    },
  });
