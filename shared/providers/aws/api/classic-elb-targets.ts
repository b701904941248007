import {
  DeregisterInstancesFromLoadBalancerCommand,
  DescribeTagsCommand,
  type ElasticLoadBalancingClient,
  RegisterInstancesWithLoadBalancerCommand,
} from '@aws-sdk/client-elastic-load-balancing';
import { awsCodeOf, isNotFound } from '../../../aws/errors.ts';
import { fromTagList, type Tags } from '../tags.ts';
import type { Targets } from './elbv2-targets.ts';

/** The instance is not running (yet), or is gone. */
const isInvalidInstance = (error: unknown): boolean => awsCodeOf(error) === 'InvalidEndPoint';

/** The tags of a load balancer; undefined if it does not exist. One call: a missing one has no tags. */
const tagsOf = async (client: ElasticLoadBalancingClient, name: string): Promise<Tags | undefined> => {
  try {
    const { TagDescriptions } = await client.send(new DescribeTagsCommand({ LoadBalancerNames: [name] }));
    return TagDescriptions?.[0] && fromTagList(TagDescriptions[0].Tags);
  } catch (error) {
    if (isNotFound(error)) return undefined;
    throw error;
  }
};

/**
 * The port, implemented with Classic Load Balancing: a classic load balancer is its own only target group, and its
 * instances are registered without a port.
 */
export const createClassicTargets = (client: ElasticLoadBalancingClient): Targets => ({
  groupsOf: async (name) => {
    const tags = await tagsOf(client, name);
    return tags ? [{ arn: name, port: 0, tags, balancerTags: tags }] : [];
  },
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
