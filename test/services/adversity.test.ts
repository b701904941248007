/** Services with requests that are not permitted, faults of AWS, and interrupted passes. */
import { AuthorizeSecurityGroupIngressCommand } from '@aws-sdk/client-ec2';
import {
  CreateTargetGroupCommand,
  DescribeListenersCommand,
  DescribeLoadBalancersCommand,
  DescribeTagsCommand,
  DescribeTargetGroupsCommand,
} from '@aws-sdk/client-elastic-load-balancing-v2';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { settledServices } from '../../shared/plan/services/digest.ts';
import { CLEANUP_FINALIZER } from '../../shared/plan/services/service.ts';
import { serviceGroupName } from '../../shared/providers/aws/services/names.ts';
import { buildTags, fromTagList } from '../../shared/providers/aws/tags.ts';
import { RED } from './account.ts';
import { lookAtBalancers } from './look.ts';
import { annotated, aService, nodeOf, type ServiceWorld, startServiceWorld } from './world.ts';

let world: ServiceWorld;
beforeEach(async () => {
  world = await startServiceWorld();
});
afterEach(() => world.close());

const failures = () => world.events().filter((event) => event.startsWith('SyncLoadBalancerFailed'));
const GOOD = aService({
  name: 'good',
  uid: 'bbbbbbbb',
  ports: [{ name: '', protocol: 'TCP', port: 81, nodePort: 30001 }],
});

/** The ARNs of all load balancers, listeners and target groups. */
const arns = async (): Promise<string[]> => {
  const { elbv2 } = world;
  const { LoadBalancers = [] } = await elbv2.send(new DescribeLoadBalancersCommand({}));
  const { TargetGroups = [] } = await elbv2.send(new DescribeTargetGroupsCommand({}));
  const listeners = await Promise.all(
    LoadBalancers.map(({ LoadBalancerArn }) => elbv2.send(new DescribeListenersCommand({ LoadBalancerArn }))),
  );
  return [
    ...LoadBalancers.map(({ LoadBalancerArn = '' }) => LoadBalancerArn),
    ...listeners.flatMap(({ Listeners = [] }) => Listeners.map(({ ListenerArn = '' }) => ListenerArn)),
    ...TargetGroups.map(({ TargetGroupArn = '' }) => TargetGroupArn),
  ];
};

describe('a Service with a request that cannot be fulfilled', () => {
  it.each([
    ['a type that there is not', annotated({ type: 'NLB' }), 'aws-load-balancer-type: must be nlb, or missing'],
    [
      'an invalid boolean',
      annotated({ 'cross-zone-load-balancing-enabled': 'yes' }),
      'must be true or false, not "yes"',
    ],
    ['an invalid number', annotated({ 'healthcheck-interval': 'often' }), 'must be a number, not "often"'],
    ['an invalid port', annotated({ 'healthcheck-port': '99999' }), 'must be a port or traffic-port'],
    [
      'a source range that is none',
      aService({ loadBalancerSourceRanges: ['10.0.0.0'] }),
      '"10.0.0.0" is not an IPv4 block',
    ],
    ['affinity', aService({ sessionAffinity: 'ClientIP' }), 'spec.sessionAffinity: must be None'],
    ['an address of its choice', aService({ loadBalancerIP: '1.2.3.4' }), 'spec.loadBalancerIP'],
    [
      'a tag by which ownership is decided',
      annotated({ 'additional-resource-tags': 'windlass.dev/cluster=a/b' }),
      'is reserved',
    ],
    ['a subnet that the VPC does not have', annotated({ subnets: 'subnet-12345678' }), '"subnet-12345678": VPC'],
    ['an address of the account', annotated({ 'eip-allocations': 'eipalloc-1' }), 'eip-allocations: is not supported'],
    ['an attribute of its target groups', annotated({ 'target-group-attributes': 'x=y' }), '"x" must be one of'],
    ['SCTP', aService({ ports: [{ name: '', protocol: 'SCTP', port: 1, nodePort: 30001 }] }), 'protocol SCTP'],
  ])(
    'gets an event that names the reason and no partial load balancer, while others are served: %s',
    async (_, bad, reason) => {
      world.state.services = [bad, GOOD];

      await world.pass();

      const { balancers, groups } = await lookAtBalancers(world.elbv2);
      expect(balancers.map(({ name }) => name)).toEqual(['abbbbbbbb']);
      expect(groups).toHaveLength(1);
      expect(failures()).toEqual([expect.stringContaining(reason)]);
      expect(await world.condition()).toMatchObject({ status: 'False', reason: 'ServicesFailed' });
      // Another check does not help before the Service is changed.
      expect(settledServices(await world.infrastructure())).toBeDefined();
    },
  );

  it('keeps its existing load balancer', async () => {
    world.state.services = [aService()];
    await world.pass();
    const before = { ...(await lookAtBalancers(world.elbv2)), rules: await world.rules(world.ids.nodesGroup) };

    world.state.services = [{ ...(world.service() ?? aService()), sessionAffinity: 'ClientIP' }];
    expect(await world.pass()).toEqual([]);

    expect({ ...(await lookAtBalancers(world.elbv2)), rules: await world.rules(world.ids.nodesGroup) }).toEqual(before);
  });

  it.each([
    ['nlb-ip', {}],
    ['external', {}],
    ['nlb', { loadBalancerClass: 'service.k8s.aws/nlb' }],
  ])('is left to the controller that serves it: type %s %j', async (type, changes) => {
    const service = annotated({ type }, changes);
    world.state.services = [service];

    expect(await world.pass()).toEqual([]);

    expect(world.service()).toEqual(service);
    expect(world.events()).toEqual([]);
  });
});

describe('resources of others', () => {
  it('are not used as targets: a node names the instance of another cluster', async () => {
    world.state.services = [aService()];
    world.state.nodes = [nodeOf(world.ids.theirs)];

    await world.pass();

    expect((await lookAtBalancers(world.elbv2)).groups[0]?.targets).toEqual([]);
    expect(await world.rules(world.ids.theirGroup)).toEqual([]);
    expect(world.events()).toContain('UnAvailableLoadBalancer: There are no available nodes for LoadBalancer');
  });

  it('are neither used nor deleted: a load balancer with the name of the Service’s own', async () => {
    world.state.services = [aService()];
    await world.pass();
    // The same uid in another cluster's API server: its Service would have the same load balancer.
    world.state.services = [aService({ name: 'forged' })];

    expect(await world.pass()).toEqual([]);
    world.state.services = [aService({ name: 'forged', isDeleted: true, finalizers: [CLEANUP_FINALIZER] })];
    expect(await world.pass()).toEqual([]);

    expect((await lookAtBalancers(world.elbv2)).balancers).toHaveLength(1);
    expect(failures()).toEqual([expect.stringContaining('was not made for this Service')]);
  });

  it('are not used: a target group with the name of one of the Service', async () => {
    const check = {
      protocol: 'TCP',
      port: 'traffic-port',
      intervalSeconds: 30,
      healthyThreshold: 3,
      unhealthyThreshold: 3,
    } as const;
    const Name = serviceGroupName(RED, aService(), { port: 80, nodePort: 30080, protocol: 'TCP', check });
    await world.elbv2.send(new CreateTargetGroupCommand({ Name, VpcId: world.ids.vpc, Port: 1, Protocol: 'TCP' }));
    world.state.services = [aService()];

    expect(await world.pass()).toEqual([]);

    expect((await lookAtBalancers(world.elbv2)).groups).toMatchObject([{ port: 1, targets: [] }]);
    expect(failures()).toEqual([expect.stringContaining(`target group ${Name} exists`)]);
  });

  it('stay: rules of other programs in the security group of the nodes', async () => {
    world.state.services = [aService()];
    await world.pass();
    const { nodesGroup } = world.ids;
    const foreign = [
      { IpProtocol: 'tcp', FromPort: 22, ToPort: 22, IpRanges: [{ CidrIp: '10.0.0.0/8', Description: 'ssh' }] },
      {
        ...{ IpProtocol: 'tcp', FromPort: 9, ToPort: 9 },
        IpRanges: [{ CidrIp: '10.0.0.0/8', Description: 'kubernetes.io/rule/nlb/client=another' }],
      },
    ];
    await world.ec2.send(new AuthorizeSecurityGroupIngressCommand({ GroupId: nodesGroup, IpPermissions: foreign }));

    world.state.services = world.state.services.map((one) => ({ ...one, isDeleted: true }));
    await world.pass();

    expect(await world.rules(nodesGroup)).toEqual(['tcp 22-22 10.0.0.0/8 ssh', 'tcp 9-9 10.0.0.0/8 client=another']);
  });
});

describe('a pass', () => {
  const WRITES = ['CreateLoadBalancer', 'CreateTargetGroup', 'CreateListener', 'RegisterTargets'];

  it.each(WRITES.flatMap((operation) => (['before', 'after'] as const).map((when) => [operation, when] as const)))(
    'reports a %s that fails %s it was carried out, and the next pass recovers',
    async (operation, when) => {
      world.test.account.failNext('elasticloadbalancing', operation, { code: 'InternalFailure', status: 500, when });
      world.state.services = [aService()];

      await world.pass();
      expect(failures()).toEqual([expect.stringContaining('InternalFailure')]);
      expect(settledServices(await world.infrastructure())).toBeUndefined();
      await world.pass();

      const { balancers, groups } = await lookAtBalancers(world.elbv2);
      expect(balancers.map(({ listeners }) => listeners.length)).toEqual([1]);
      expect(groups.map(({ targets }) => targets.length)).toEqual([2]);
      expect(await world.condition()).toMatchObject({ status: 'True' });
    },
  );

  it('creates everything once even if another pass runs at the same time', async () => {
    world.state.services = [aService()];

    await Promise.all([world.pass(), world.pass()]);
    await world.pass();

    const { balancers, groups } = await lookAtBalancers(world.elbv2);
    expect([balancers.length, groups.length, balancers[0]?.listeners.length]).toEqual([1, 1, 1]);
    expect(await world.rules(world.ids.nodesGroup)).toHaveLength(2);
    expect(await world.condition()).toMatchObject({ status: 'True' });
  });

  it('keeps a deleted Service until its load balancer is completely gone', async () => {
    world.state.services = [aService()];
    await world.pass();
    world.test.account.failNext('elasticloadbalancing', 'DeleteTargetGroup', { code: 'ResourceInUse' });
    world.state.services = world.state.services.map((one) => ({ ...one, isDeleted: true }));

    await world.pass();
    expect(world.service()?.finalizers).toEqual([CLEANUP_FINALIZER]);
    await world.pass();

    expect(world.state.services).toEqual([]);
    expect((await lookAtBalancers(world.elbv2)).groups).toEqual([]);
  });
});

describe('a cluster', () => {
  it('is left to its own cloud controller manager', async () => {
    world.state.cloudController = 'DaemonSet kube-system/cloud-controller-manager';
    world.state.services = [aService()];

    expect(await world.pass()).toEqual([]);

    expect(world.service()?.finalizers).toEqual([]);
    expect(await world.condition()).toMatchObject({ status: 'False', reason: 'OtherController' });
  });

  it('gets load balancers for at most fifty new Services in one pass', async () => {
    const refused = Array.from({ length: 51 }, (_, index) =>
      annotated({ type: 'none' }, { name: `s${index}`, uid: `u-${index}` }),
    );
    world.state.services = refused;

    await world.pass();
    expect(world.state.services.filter(({ finalizers }) => finalizers.length > 0)).toHaveLength(50);
    expect((await world.condition())?.message).toContain('1 more Services wait for a later pass');
    expect(settledServices(await world.infrastructure())).toBeUndefined();
    await world.pass();

    expect(world.state.services.every(({ finalizers }) => finalizers.length > 0)).toBe(true);
  });

  it('reports that the annotation was removed, and leaves its load balancers alone', async () => {
    world.state.services = [aService()];
    await world.pass();
    await world.annotate({});

    expect(await world.pass()).toEqual([]);
    expect(await world.condition()).toMatchObject({ status: 'False', reason: 'NotRequested' });
  });

  it('tags the load balancers, listeners and target groups of its Services', async () => {
    world.state.services = [aService(), GOOD];
    await world.pass();

    const ResourceArns = await arns();
    const { TagDescriptions = [] } = await world.elbv2.send(new DescribeTagsCommand({ ResourceArns }));
    expect(TagDescriptions).toHaveLength(6);
    for (const { ResourceArn, Tags } of TagDescriptions)
      expect(fromTagList(Tags), ResourceArn).toMatchObject(buildTags({ cluster: RED, role: 'service' }));
  });
});
