import type { AWSCluster } from '../../../kinds/index.ts';
import { buildTags } from '../tags.ts';
import { desiredLoadBalancing } from './desired.ts';
import type { DesiredLoadBalancing } from './desired-balancing.ts';
import type { DesiredTargetGroup, ObservedTargetGroup } from './target-groups/model.ts';

/** Fixtures for the planner's tests: the cluster `red`, and possible states in ELBv2. */

export const CLUSTER = { namespace: 'default', name: 'red' };
export const NAMED = buildTags({ cluster: CLUSTER, name: 'default-red-apiserver', role: 'apiserver' });
export const FOREIGN = buildTags({ cluster: { namespace: 'other', name: 'red' }, role: 'apiserver' });

export const subnet = (id: string, availabilityZone: string, isPublic: boolean) => ({
  ...{ id, resourceID: id },
  availabilityZone,
  isPublic,
});

export const awsCluster = (spec: Partial<AWSCluster['spec']> = {}): AWSCluster => ({
  apiVersion: 'infrastructure.cluster.x-k8s.io/v1beta2',
  kind: 'AWSCluster',
  metadata: { ...CLUSTER },
  spec: {
    network: {
      vpc: { id: 'vpc-1' },
      subnets: [
        subnet('subnet-1', 'a', true),
        subnet('subnet-2', 'b', true),
        subnet('subnet-3', 'a', true),
        subnet('subnet-4', 'a', false),
      ],
    },
    controlPlaneLoadBalancer: { loadBalancerType: 'nlb', healthCheckProtocol: 'HTTPS' },
    ...spec,
  },
  status: { networkStatus: { securityGroups: { 'apiserver-lb': { id: 'sg-1', name: 'red-apiserver-lb' } } } },
});

export const omit = (tags: Record<string, string>, key: string) =>
  Object.fromEntries(Object.entries(tags).filter(([name]) => name !== key));

export const desire = (spec: Partial<AWSCluster['spec']> = {}, apiServerPort?: number): DesiredLoadBalancing => {
  const input = { cluster: CLUSTER, clusterUid: 'u-1', awsCluster: awsCluster(spec), apiServerPort };
  const desired = desiredLoadBalancing(input);
  if (!desired) throw new Error('nothing is desired');
  return desired;
};

export const NAMES = desire().listeners[0]?.targetGroup.names ?? [];
export const WANTED = desire().listeners[0]?.targetGroup as DesiredTargetGroup;
export const group = (
  name = NAMES[0] ?? '',
  tags = NAMED,
  changes: Partial<ObservedTargetGroup> = {},
): ObservedTargetGroup => ({
  arn: `arn:${name}`,
  name,
  port: 6443,
  protocol: 'TCP',
  ipType: 'ipv4',
  healthCheck: WANTED.healthCheck,
  tags,
  attributes: WANTED.attributes,
  targets: [],
  ...changes,
});

export const balancer = (changes = {}) => ({
  arn: 'arn:lb',
  name: 'default-red-apiserver',
  vpcId: 'vpc-1',
  type: 'network',
  dnsName: 'lb.example',
  state: 'provisioning' as const,
  scheme: 'internet-facing',
  ipAddressType: 'ipv4',
  zones: ['subnet-1', 'subnet-2'].map((subnetId) => ({ zone: subnetId, subnetId })),
  securityGroupIds: ['sg-1'],
  tags: NAMED,
  attributes: { 'load_balancing.cross_zone.enabled': 'false' },
  ...changes,
});

export const listener = { arn: 'arn:l', port: 6443, targetGroupArn: group().arn };
