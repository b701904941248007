import {
  DescribeLoadBalancerAttributesCommand,
  DescribeLoadBalancersCommand,
  DescribeTagsCommand,
  type ElasticLoadBalancingClient,
  type ListenerDescription,
  type LoadBalancerAttributes,
  type LoadBalancerDescription,
} from '@aws-sdk/client-elastic-load-balancing';
import { isNotFound } from '../../../../aws/errors.ts';
import { API_SERVER_PORT } from '../../network/security-groups/rules.ts';
import { fromTagList, type Tags } from '../../tags.ts';
import { CROSS_ZONE, IDLE_TIMEOUT } from '../attributes.ts';
import type { ObservedListener } from '../listeners/model.ts';
import type { ObservedLoadBalancing } from '../model.ts';
import type { ObservedTargetGroup } from '../target-groups/model.ts';
import { fromClassicTarget } from './health-check.ts';

const describe = async (
  client: ElasticLoadBalancingClient,
  name: string,
): Promise<LoadBalancerDescription | undefined> => {
  try {
    const answer = await client.send(new DescribeLoadBalancersCommand({ LoadBalancerNames: [name] }));
    return answer.LoadBalancerDescriptions?.[0];
  } catch (error) {
    if (isNotFound(error)) return undefined;
    throw error;
  }
};

/** A protocol other than TCP cannot serve the Kubernetes API. */
const toListener = (name: string, { Listener }: ListenerDescription): ObservedListener => {
  const { LoadBalancerPort: port = 0, InstancePort, Protocol, InstanceProtocol } = Listener ?? {};
  const isTcp = [Protocol, InstanceProtocol].every((protocol) => protocol?.toUpperCase() === 'TCP');
  return { arn: `${name}:${port}`, port, ...(isTcp ? { targetGroupArn: `${name}:${InstancePort}` } : {}) };
};

const toGroup = (name: string, found: LoadBalancerDescription, tags: Tags): ObservedTargetGroup => ({
  arn: `${name}:${API_SERVER_PORT}`,
  name,
  port: API_SERVER_PORT,
  protocol: 'TCP',
  ipType: 'ipv4',
  healthCheck: {
    ...fromClassicTarget(found.HealthCheck?.Target ?? ''),
    intervalSeconds: found.HealthCheck?.Interval ?? 0,
    timeoutSeconds: found.HealthCheck?.Timeout ?? 0,
    thresholdCount: found.HealthCheck?.HealthyThreshold ?? 0,
    unhealthyThresholdCount: found.HealthCheck?.UnhealthyThreshold ?? 0,
  },
  tags,
  attributes: {},
  targets: (found.Instances ?? []).flatMap(({ InstanceId }) => InstanceId ?? []),
});

/** AWS lists zones and subnets separately; only the names of the zones are used. */
const toLoadBalancer = (name: string, found: LoadBalancerDescription, tags: Tags, own: LoadBalancerAttributes) => ({
  arn: name,
  name,
  vpcId: found.VPCId ?? '',
  ...(found.DNSName ? { dnsName: found.DNSName } : {}),
  state: 'active' as const,
  scheme: found.Scheme ?? '',
  type: 'classic',
  ipAddressType: 'ipv4',
  zones: (found.Subnets ?? []).map((subnetId, index) => ({ zone: found.AvailabilityZones?.[index] ?? '', subnetId })),
  securityGroupIds: found.SecurityGroups ?? [],
  tags,
  attributes: {
    [CROSS_ZONE]: String(own.CrossZoneLoadBalancing?.Enabled ?? false),
    [IDLE_TIMEOUT]: String(own.ConnectionSettings?.IdleTimeout ?? ''),
  },
});

/** A snapshot of the classic load balancer with this name and all of its parts. */
export const observeClassic = async (
  client: ElasticLoadBalancingClient,
  name: string,
): Promise<ObservedLoadBalancing> => {
  const found = await describe(client, name);
  if (!found) return { targetGroups: [], listeners: [] };
  const [{ LoadBalancerAttributes = {} }, { TagDescriptions }] = await Promise.all([
    client.send(new DescribeLoadBalancerAttributesCommand({ LoadBalancerName: name })),
    client.send(new DescribeTagsCommand({ LoadBalancerNames: [name] })),
  ]);
  const tags = fromTagList(TagDescriptions?.[0]?.Tags);
  return {
    loadBalancer: toLoadBalancer(name, found, tags, LoadBalancerAttributes),
    targetGroups: [toGroup(name, found, tags)],
    listeners: (found.ListenerDescriptions ?? []).map((listener) => toListener(name, listener)),
  };
};
