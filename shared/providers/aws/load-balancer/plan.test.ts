import { describe, expect, it } from 'vitest';
import { desiredLoadBalancing } from './desired.ts';
import type { DesiredLoadBalancing } from './desired-balancing.ts';
import type { ObservedLoadBalancing } from './model.ts';
import { planLoadBalancing, planLoadBalancingDeletion } from './plan.ts';
import {
  awsCluster,
  balancer,
  CLUSTER,
  desire,
  FOREIGN,
  group,
  listener,
  NAMED,
  NAMES,
  omit,
  subnet,
  WANTED,
} from './test-load-balancing.ts';

describe('the desired state of an AWSCluster', () => {
  it('has one public subnet in each zone, the security group of the API and a health check over HTTPS', () => {
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

  it('has the private subnets for an internal scheme, and another port for clients only', () => {
    const spec = { controlPlaneLoadBalancer: { loadBalancerType: 'nlb', scheme: 'internal' } } as const;

    expect(desire(spec).subnetIds).toEqual(['subnet-4']);
    expect(desire({}, 443).listeners).toMatchObject([{ port: 443, targetGroup: { port: 6443 } }]);
  });

  it.each([
    ['ipv6', { isIpv6: true }, {}],
    ['ipv4', { isIpv6: false }, {}],
    ['ipv4', { isIpv6: true }, { targetGroupIPType: 'ipv4' }],
  ] as const)(
    'is dual-stack with IPv6, and reaches machines over %s if their subnets have %j and the spec has %j',
    (type, has, asked) => {
      const subnets = [
        { ...subnet('subnet-1', 'a', true), isIpv6: true, cidrBlock: '10.0.0.0/24' },
        { ...subnet('subnet-2', 'a', false), ...has },
      ];
      const desired = desire({
        network: { vpc: { id: 'vpc-1', ipv6: {} }, subnets },
        controlPlaneLoadBalancer: { loadBalancerType: 'nlb', ...asked },
      });

      expect([desired.ipAddressType, desired.listeners[0]?.targetGroup.ipType]).toEqual(['dualstack', type]);
    },
  );

  it.each([
    ['the network is', {}],
    ['a subnet is', { vpc: { id: 'vpc-1' }, subnets: [subnet('subnet-1', 'a', true), { id: 'subnet-2' }] }],
  ])('is undefined while %s not on record', (_, network) => {
    const input = { cluster: CLUSTER, clusterUid: 'u-1', awsCluster: awsCluster({ network }) };

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
        targetGroups: [group(undefined, NAMED, { attributes: {} })],
        listeners: [listener],
      },
      types: ['SetLoadBalancerAttributes', 'SetTargetGroupAttributes'],
    },
    {
      reason: 'the listener has another target group',
      observed: {
        loadBalancer: balancer(),
        targetGroups: [group()],
        listeners: [{ ...listener, targetGroupArn: 'arn:foreign' }],
      },
      types: ['SetListener'],
    },
    {
      reason: 'the health check differs',
      observed: {
        loadBalancer: balancer(),
        targetGroups: [group(undefined, NAMED, { healthCheck: { ...WANTED.healthCheck, intervalSeconds: 30 } })],
        listeners: [listener],
      },
      types: ['SetHealthCheck'],
    },
    {
      reason: 'the address type differs',
      observed: {
        loadBalancer: balancer({ ipAddressType: 'dualstack' }),
        targetGroups: [group()],
        listeners: [listener],
      },
      types: ['SetIpAddressType'],
    },
    {
      reason: 'security groups, subnets and tags differ',
      observed: {
        loadBalancer: balancer({ securityGroupIds: ['sg-9'], zones: [], tags: omit(NAMED, 'Name') }),
        targetGroups: [group()],
        listeners: [listener],
      },
      types: ['SetSubnets', 'SetSecurityGroups', 'AddTags'],
    },
    {
      reason: 'a zone was removed from the spec, and the load balancer was created without security groups',
      observed: {
        loadBalancer: balancer({
          securityGroupIds: [],
          zones: ['subnet-1', 'subnet-2', 'subnet-9'].map((subnetId) => ({ zone: subnetId, subnetId })),
        }),
        targetGroups: [group()],
        listeners: [listener],
      },
      types: [],
    },
    {
      reason: 'upstream has named the target group',
      observed: {
        loadBalancer: balancer(),
        targetGroups: [group('apiserver-target-xk2fd')],
        listeners: [{ ...listener, targetGroupArn: 'arn:apiserver-target-xk2fd' }],
      },
      types: [],
    },
    {
      reason: 'a listener was removed from the spec, and another one belongs to others',
      observed: {
        loadBalancer: balancer(),
        targetGroups: [
          group(),
          group('additional-listener-abcde', NAMED, { port: 8132 }),
          group('theirs', {}, { port: 9000 }),
        ],
        listeners: [
          listener,
          { arn: 'arn:old', port: 8132, targetGroupArn: 'arn:additional-listener-abcde' },
          { arn: 'arn:theirs', port: 9000, targetGroupArn: 'arn:theirs' },
        ],
      },
      types: ['DeleteListener'],
    },
    {
      reason: 'another cluster uses the first name for the target group',
      observed: {
        loadBalancer: balancer(),
        targetGroups: [group(NAMES[0], FOREIGN), group(NAMES[1])],
        listeners: [],
      },
      types: ['CreateListener'],
    },
    {
      reason: 'everything exists, active or not',
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
      desired: desire({ controlPlaneEndpoint: { host: 'red-1.elb.eu-west-1.amazonaws.com', port: 6443 } }),
      observed: { targetGroups: [], listeners: [] },
      message: /of the endpoint red-1\.elb\..* does not exist; it is not recreated/,
    },
    {
      reason: "the user's endpoint has another port than the load balancer",
      desired: desire({ controlPlaneEndpoint: { host: 'api.red.example', port: 443 } }),
      observed: { targetGroups: [], listeners: [] },
      message: /port is 443, and the load balancer listens on 6443/,
    },
    {
      reason: 'the name belongs to another cluster',
      desired: desire(),
      observed: { loadBalancer: balancer({ tags: FOREIGN }), targetGroups: [], listeners: [] },
      message: /exists and does not belong to the cluster/,
    },
    {
      reason: 'it is in another VPC',
      desired: desire(),
      observed: { loadBalancer: balancer({ vpcId: 'vpc-2' }), targetGroups: [], listeners: [] },
      message: /exists in vpc-2, not in vpc-1/,
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

it('a load balancer that the user created and named is used without changes', () => {
  const named = desire({ controlPlaneLoadBalancer: { loadBalancerType: 'nlb', name: 'mine' } });
  const mine = balancer({ name: 'mine', tags: { team: 'a' }, attributes: {}, securityGroupIds: [] });

  const plan = planLoadBalancing(CLUSTER, named, { loadBalancer: mine, targetGroups: [], listeners: [] });

  expect(plan).toEqual({ actions: [], waiting: [] });
});

it('the recorded target group of a listener that is gone is deleted', () => {
  const old = group('additional-listener-abcde', NAMED, { port: 8132 });
  const desired = { ...desire(), recordedGroups: [old.name] };

  const { actions } = planLoadBalancing(CLUSTER, desired, {
    loadBalancer: balancer(),
    targetGroups: [group(), old],
    listeners: [listener],
  });

  expect(actions).toEqual([{ type: 'DeleteTargetGroup', arn: old.arn, name: old.name }]);
});

describe('the deletion', () => {
  it.each<{ reason: string; observed: ObservedLoadBalancing; types: string[] }>([
    {
      reason: 'both exist, because groups are deleted after the load balancer that uses them',
      observed: { loadBalancer: balancer(), targetGroups: [group()], listeners: [listener] },
      types: ['DeleteLoadBalancer'],
    },
    {
      reason: 'only the group is left',
      observed: { targetGroups: [group()], listeners: [] },
      types: ['DeleteTargetGroup'],
    },
    {
      reason: 'the resources with these names belong to another cluster',
      observed: {
        loadBalancer: balancer({ tags: FOREIGN }),
        targetGroups: [group(NAMES[0], FOREIGN)],
        listeners: [listener],
      },
      types: [],
    },
    { reason: 'nothing was ever created', observed: { targetGroups: [], listeners: [] }, types: [] },
  ])('is $types when $reason', ({ observed, types }) => {
    expect(planLoadBalancingDeletion(CLUSTER, observed).map(({ type }) => type)).toEqual(types);
  });
});
