import { describe, expect, it } from 'vitest';
import { buildTags } from '../../aws/tags.ts';
import type { AWSCluster } from '../../kinds/index.ts';
import { desiredLoadBalancing } from './desired.ts';
import type { DesiredLoadBalancing, ObservedLoadBalancing } from './model.ts';
import { planLoadBalancing, planLoadBalancingDeletion } from './plan.ts';

const CLUSTER = { namespace: 'default', name: 'red' };
const TAGS = buildTags({ cluster: CLUSTER, role: 'apiserver' });
const FOREIGN = buildTags({ cluster: { namespace: 'other', name: 'red' }, role: 'apiserver' });

const subnet = (id: string, availabilityZone: string, isPublic: boolean) => ({ id, availabilityZone, isPublic });

const awsCluster = (spec: Partial<AWSCluster['spec']> = {}): AWSCluster => ({
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

const desire = (spec: Partial<AWSCluster['spec']> = {}, apiServerPort?: number): DesiredLoadBalancing => {
  const input = { cluster: CLUSTER, clusterUid: 'u-1', awsCluster: awsCluster(spec), apiServerPort };
  const desired = desiredLoadBalancing(input);
  if (!desired) throw new Error('nothing is desired');
  return desired;
};

const NAMES = desire().listeners[0]?.targetGroup.names ?? [];
const group = (name = NAMES[0] ?? '', tags = TAGS) => ({
  arn: `arn:${name}`,
  name,
  tags,
  attributes: desire().listeners[0]?.targetGroup.attributes ?? {},
});

const balancer = (changes = {}) => ({
  arn: 'arn:lb',
  name: 'default-red-apiserver',
  dnsName: 'lb.example',
  state: 'provisioning' as const,
  scheme: 'internet-facing',
  zones: [],
  securityGroupIds: [],
  tags: TAGS,
  attributes: { 'load_balancing.cross_zone.enabled': 'false' },
  ...changes,
});

const listener = { arn: 'arn:l', port: 6443, targetGroupArn: group().arn };

describe('what an AWSCluster asks for', () => {
  it('is one public subnet a zone, the API group and a health check over HTTPS', () => {
    expect(desire()).toMatchObject({
      name: 'default-red-apiserver',
      scheme: 'internet-facing',
      subnetIds: ['subnet-1', 'subnet-2'],
      securityGroupIds: ['sg-1'],
    });
    expect(desire().listeners).toMatchObject([
      {
        port: 6443,
        targetGroup: {
          port: 6443,
          healthCheck: {
            protocol: 'HTTPS',
            port: '6443',
            path: '/readyz',
            intervalSeconds: 5,
            timeoutSeconds: 4,
            thresholdCount: 2,
            unhealthyThresholdCount: 6,
          },
        },
      },
    ]);
  });

  it('is the private subnets for an internal scheme, and another port for clients only', () => {
    const spec = { controlPlaneLoadBalancer: { loadBalancerType: 'nlb', scheme: 'internal' } } as const;

    expect(desire(spec).subnetIds).toEqual(['subnet-4']);
    expect(desire({}, 443).listeners).toMatchObject([{ port: 443, targetGroup: { port: 6443 } }]);
  });

  it('is nothing while the network is not on record', () => {
    const input = { cluster: CLUSTER, clusterUid: 'u-1', awsCluster: awsCluster({ network: {} }) };

    expect(desiredLoadBalancing(input)).toBeUndefined();
  });
});

describe('the plan', () => {
  it.each<{ reason: string; observed: ObservedLoadBalancing; types: string[] }>([
    {
      reason: 'nothing exists',
      observed: { targetGroups: [], listeners: [] },
      types: ['CreateLoadBalancer', 'CreateTargetGroup'],
    },
    {
      reason: 'the target group was lost',
      observed: { loadBalancer: balancer(), targetGroups: [], listeners: [listener] },
      types: ['CreateTargetGroup'],
    },
    {
      reason: 'the listener is missing',
      observed: { loadBalancer: balancer(), targetGroups: [group()], listeners: [] },
      types: ['CreateListener'],
    },
    {
      reason: 'attributes differ',
      observed: {
        loadBalancer: balancer({ attributes: {} }),
        targetGroups: [{ ...group(), attributes: {} }],
        listeners: [listener],
      },
      types: ['SetLoadBalancerAttributes', 'SetTargetGroupAttributes'],
    },
    {
      reason: 'another cluster has the first name of the target group',
      observed: {
        loadBalancer: balancer(),
        targetGroups: [group(NAMES[0], FOREIGN), group(NAMES[1])],
        listeners: [],
      },
      types: ['CreateListener'],
    },
    {
      reason: 'all is there, active or not',
      observed: { loadBalancer: balancer(), targetGroups: [group()], listeners: [listener] },
      types: [],
    },
  ])('is $types when $reason', ({ observed, types }) => {
    const plan = planLoadBalancing(CLUSTER, desire(), observed);

    expect(plan.actions.map(({ type }) => type)).toEqual(types);
    expect(plan.problem).toBeUndefined();
  });

  it.each<{ reason: string; desired: DesiredLoadBalancing; observed: ObservedLoadBalancing; message: RegExp }>([
    {
      reason: 'the load balancer of a published endpoint is gone',
      desired: desire({ controlPlaneEndpoint: { host: 'old.example', port: 6443 } }),
      observed: { targetGroups: [], listeners: [] },
      message: /of the endpoint old\.example does not exist any more/,
    },
    {
      reason: 'the name belongs to another cluster',
      desired: desire(),
      observed: { loadBalancer: balancer({ tags: FOREIGN }), targetGroups: [], listeners: [] },
      message: /exists and does not belong to the cluster/,
    },
    {
      reason: 'all names of the target group belong to others',
      desired: desire(),
      observed: { targetGroups: NAMES.map((name) => group(name, FOREIGN)), listeners: [] },
      message: /target groups of other owners have all the names/,
    },
  ])('is a problem and no action when $reason', ({ desired, observed, message }) => {
    const plan = planLoadBalancing(CLUSTER, desired, observed);

    expect(plan.actions).toEqual([]);
    expect(plan.problem?.message).toMatch(message);
  });
});

describe('the deletion', () => {
  it.each<{ reason: string; observed: ObservedLoadBalancing; types: string[] }>([
    {
      reason: 'both exist: groups go after the load balancer that uses them',
      observed: { loadBalancer: balancer(), targetGroups: [group()], listeners: [listener] },
      types: ['DeleteLoadBalancer'],
    },
    {
      reason: 'only the group is left',
      observed: { targetGroups: [group()], listeners: [] },
      types: ['DeleteTargetGroup'],
    },
    {
      reason: 'what has the names belongs to another cluster',
      observed: {
        loadBalancer: balancer({ tags: FOREIGN }),
        targetGroups: [group(NAMES[0], FOREIGN)],
        listeners: [listener],
      },
      types: [],
    },
    { reason: 'nothing was ever made', observed: { targetGroups: [], listeners: [] }, types: [] },
  ])('is $types when $reason', ({ observed, types }) => {
    expect(planLoadBalancingDeletion(CLUSTER, observed).map(({ type }) => type)).toEqual(types);
  });
});
