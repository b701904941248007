import {
  AddTagsCommand,
  ApplySecurityGroupsToLoadBalancerCommand,
  AttachLoadBalancerToSubnetsCommand,
  ConfigureHealthCheckCommand,
  CreateLoadBalancerCommand,
  CreateLoadBalancerListenersCommand,
  DeleteLoadBalancerCommand,
  DeleteLoadBalancerListenersCommand,
  type ElasticLoadBalancingClient,
  ModifyLoadBalancerAttributesCommand,
  RegisterInstancesWithLoadBalancerCommand,
  RemoveTagsCommand,
} from '@aws-sdk/client-elastic-load-balancing';
import { awsCodeOf } from '../../../../aws/errors.ts';
import { toTagList } from '../../tags.ts';
import type { Elbv2Writes } from '../api.ts';
import { CROSS_ZONE, IDLE_TIMEOUT } from '../attributes.ts';
import type { ObservedLoadBalancing } from '../model.ts';
import type { HealthCheck } from '../target-groups/model.ts';
import { toClassicTarget } from './health-check.ts';
import { observeClassic } from './read-api.ts';

/**
 * Classic Load Balancing in terms of ELBv2. A classic load balancer has a name instead of an ARN. It also represents
 * its target group, whose ARN is the name with the port of the instances (`red-apiserver:6443`); the ARN of a listener
 * is the name with the listener's port. Only the health check of the group can be changed, so the other calls for
 * groups throw.
 */
export interface ClassicElb extends Elbv2Writes {
  observe(name: string): Promise<ObservedLoadBalancing>;
}

const nameIn = (arn: string): string => arn.split(':')[0] ?? '';
const portIn = (arn: string): number => Number(arn.split(':')[1]);

const listenerOf = (port: number, targetGroupArn: string) => ({
  Protocol: 'TCP',
  LoadBalancerPort: port,
  InstanceProtocol: 'TCP',
  InstancePort: portIn(targetGroupArn),
});

type Writes<Name extends keyof ClassicElb> = Pick<ClassicElb, Name>;

const loadBalancerWrites = (
  client: ElasticLoadBalancingClient,
): Writes<
  'createLoadBalancer' | 'setLoadBalancerAttributes' | 'setSubnets' | 'setSecurityGroups' | 'deleteLoadBalancer'
> => ({
  createLoadBalancer: async ({ name, scheme, subnetIds, securityGroupIds, tags, listeners }) => {
    const command = new CreateLoadBalancerCommand({
      LoadBalancerName: name,
      Scheme: scheme,
      Subnets: [...subnetIds],
      SecurityGroups: [...securityGroupIds],
      Listeners: listeners.map(({ port, targetGroup }) => listenerOf(port, `${name}:${targetGroup.port}`)),
      Tags: toTagList(tags),
    });
    await client.send(command);
    return undefined;
  },
  setLoadBalancerAttributes: async (name, attributes) => {
    const { [CROSS_ZONE]: crossZone, [IDLE_TIMEOUT]: idle } = attributes;
    const LoadBalancerAttributes = {
      ...(crossZone === undefined ? {} : { CrossZoneLoadBalancing: { Enabled: crossZone === 'true' } }),
      ...(idle === undefined ? {} : { ConnectionSettings: { IdleTimeout: Number(idle) } }),
    };
    await client.send(new ModifyLoadBalancerAttributesCommand({ LoadBalancerName: name, LoadBalancerAttributes }));
  },
  setSubnets: async (name, subnetIds) => {
    await client.send(new AttachLoadBalancerToSubnetsCommand({ LoadBalancerName: name, Subnets: [...subnetIds] }));
  },
  setSecurityGroups: async (name, groupIds) => {
    const input = { LoadBalancerName: name, SecurityGroups: [...groupIds] };
    await client.send(new ApplySecurityGroupsToLoadBalancerCommand(input));
  },
  deleteLoadBalancer: async (name) => {
    await client.send(new DeleteLoadBalancerCommand({ LoadBalancerName: name }));
  },
});

const listenerWrites = (
  client: ElasticLoadBalancingClient,
): Writes<'createListener' | 'setListener' | 'deleteListener'> => {
  const add = async (name: string, port: number, targetGroupArn: string) => {
    const input = { LoadBalancerName: name, Listeners: [listenerOf(port, targetGroupArn)] };
    await client.send(new CreateLoadBalancerListenersCommand(input));
  };
  const remove = async (arn: string) => {
    const input = { LoadBalancerName: nameIn(arn), LoadBalancerPorts: [portIn(arn)] };
    await client.send(new DeleteLoadBalancerListenersCommand(input));
  };
  return {
    createListener: async ({ loadBalancerArn, port, targetGroupArn }) => {
      await add(loadBalancerArn, port, targetGroupArn);
      return undefined;
    },
    // A listener of a classic load balancer cannot be changed.
    setListener: async (arn, targetGroupArn) => {
      await remove(arn);
      await add(nameIn(arn), portIn(arn), targetGroupArn);
    },
    deleteListener: remove,
  };
};

const toHealthCheck = (check: HealthCheck) => ({
  Target: toClassicTarget(check),
  Interval: check.intervalSeconds,
  Timeout: check.timeoutSeconds,
  HealthyThreshold: check.thresholdCount,
  UnhealthyThreshold: check.unhealthyThresholdCount,
});

const noGroup = async (): Promise<never> => {
  throw new Error('a classic load balancer has no target group of its own');
};

const noIpv6 = async (): Promise<never> => {
  throw new Error('a classic load balancer in a VPC has IPv4 addresses only');
};

/** The port, implemented with an SDK client, which may retry freely. */
export const createClassicElb = (client: ElasticLoadBalancingClient): ClassicElb => ({
  observe: (name) => observeClassic(client, name),
  ...loadBalancerWrites(client),
  ...listenerWrites(client),
  setIpAddressType: noIpv6,
  createTargetGroup: noGroup,
  setTargetGroupAttributes: noGroup,
  deleteTargetGroup: noGroup,
  setHealthCheck: async (arn, healthCheck) => {
    const input = { LoadBalancerName: nameIn(arn), HealthCheck: toHealthCheck(healthCheck) };
    await client.send(new ConfigureHealthCheckCommand(input));
  },
  registerTarget: async ({ arn }, InstanceId) => {
    try {
      const input = { LoadBalancerName: nameIn(arn), Instances: [{ InstanceId }] };
      await client.send(new RegisterInstancesWithLoadBalancerCommand(input));
      return true;
    } catch (error) {
      if (awsCodeOf(error) === 'InvalidEndPoint') return false;
      throw error;
    }
  },
  addTags: async (names, tags) => {
    for (const name of names)
      await client.send(new AddTagsCommand({ LoadBalancerNames: [name], Tags: toTagList(tags) }));
  },
  removeTags: async (names, keys) => {
    const Tags = keys.map((Key) => ({ Key }));
    for (const name of names) await client.send(new RemoveTagsCommand({ LoadBalancerNames: [name], Tags }));
  },
});
