import {
  DeregisterInstancesFromLoadBalancerCommand,
  DescribeLoadBalancersCommand,
  type ElasticLoadBalancingClient,
  RegisterInstancesWithLoadBalancerCommand,
} from '@aws-sdk/client-elastic-load-balancing';
import type { Targets } from './elbv2-targets.ts';
import { awsCodeOf, isNotFound } from './errors.ts';

/** Of an instance that does not run (yet), or that is gone. */
const isInvalidInstance = (error: unknown): boolean => awsCodeOf(error) === 'InvalidEndPoint';

const exists = async (client: ElasticLoadBalancingClient, name: string): Promise<boolean> => {
  try {
    const found = await client.send(new DescribeLoadBalancersCommand({ LoadBalancerNames: [name] }));
    return (found.LoadBalancerDescriptions ?? []).length > 0;
  } catch (error) {
    if (isNotFound(error)) return false;
    throw error;
  }
};

/** The port over the first generation: a classic load balancer is its only target group, and knows instances without a port. */
export const createClassicTargets = (client: ElasticLoadBalancingClient): Targets => ({
  groupsOf: async (name) => ((await exists(client, name)) ? [{ arn: name, port: 0 }] : []),
  register: async ({ arn }, InstanceId) => {
    try {
      const input = { LoadBalancerName: arn, Instances: [{ InstanceId }] };
      await client.send(new RegisterInstancesWithLoadBalancerCommand(input));
      return true;
    } catch (error) {
      if (isInvalidInstance(error)) return false;
      throw error;
    }
  },
  deregister: async ({ arn }, InstanceId) => {
    try {
      const input = { LoadBalancerName: arn, Instances: [{ InstanceId }] };
      await client.send(new DeregisterInstancesFromLoadBalancerCommand(input));
    } catch (error) {
      if (!isNotFound(error) && !isInvalidInstance(error)) throw error;
    }
  },
});
