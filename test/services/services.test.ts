/** The life of a Service's load balancer, from the Service to the calls. */
import { CreateTargetGroupCommand } from '@aws-sdk/client-elastic-load-balancing-v2';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { settledServices } from '../../shared/plan/services/digest.ts';
import { CLEANUP_FINALIZER } from '../../shared/plan/services/service.ts';
import { lookAtBalancers } from './look.ts';
import { annotated, aService, nodeOf, type ServiceWorld, startServiceWorld } from './world.ts';

let world: ServiceWorld;
beforeEach(async () => {
  world = await startServiceWorld();
});
afterEach(() => world.close());

const NAME = 'a1111111122223333444455555555555';

describe('a Service of type LoadBalancer', () => {
  it('gets a load balancer that forwards to the nodes, and its address', async () => {
    world.state.services = [aService()];

    await world.pass();

    const { balancers, groups } = await lookAtBalancers(world.elbv2);
    const { publicA, publicB, nodes } = world.ids;
    expect(balancers).toMatchObject([
      {
        name: NAME,
        scheme: 'internet-facing',
        subnets: [publicA, publicB],
        attributes: expect.objectContaining({ 'load_balancing.cross_zone.enabled': 'false' }),
        listeners: [{ port: 'TCP 80', group: groups[0]?.name }],
        tags: {
          'kubernetes.io/cluster/red': 'owned',
          'kubernetes.io/service-name': 'shop/web',
          'windlass.dev/cluster': 'default/red',
        },
      },
    ]);
    expect(groups).toMatchObject([
      {
        protocol: 'TCP',
        port: 30080,
        check: 'TCP traffic-port',
        counts: [30, 3, 3],
        targets: nodes.map((id) => `${id}:30080`).sort(),
      },
    ]);
    expect(groups[0]?.name).toMatch(/^k8s-shop-web-[0-9a-f]{10}$/);
    expect(world.service()).toMatchObject({ finalizers: [CLEANUP_FINALIZER], ingress: [balancers[0]?.dnsName] });
    expect(await world.rules(world.ids.nodesGroup)).toEqual([
      'icmp 3-4 0.0.0.0/0 mtu',
      `tcp 30080-30080 0.0.0.0/0 client=${NAME}`,
    ]);
    expect(world.events()).toEqual([
      'EnsuringLoadBalancer: Ensuring load balancer',
      'EnsuredLoadBalancer: Ensured load balancer',
    ]);
    expect(await world.condition()).toMatchObject({ status: 'True', message: '1 Services have load balancers' });
  });

  it('gets the additional tags of its cluster when it is created; those of its annotation prevail', async () => {
    await world.tagCluster({ CostCenter: '42', Team: 'red' });
    world.state.services = [annotated({ 'additional-resource-tags': 'Team=shop' })];

    await world.pass();

    expect((await lookAtBalancers(world.elbv2)).balancers[0]?.tags).toMatchObject({ CostCenter: '42', Team: 'shop' });
    await world.tagCluster({ CostCenter: '43' });
    expect(await world.pass()).toEqual([]);
  });

  it('is not changed by the next pass, which only reads', async () => {
    world.state.services = [aService()];
    await world.pass();
    const before = world.test.calls.length;

    expect(await world.pass()).toEqual([]);

    const reads = world.test.calls.slice(before).map((call) => call.split(':')[1]);
    expect(reads.sort()).toEqual([
      'DescribeInstances',
      'DescribeListeners',
      'DescribeLoadBalancerAttributes',
      'DescribeLoadBalancers',
      'DescribeLoadBalancers',
      'DescribeSecurityGroups',
      'DescribeSubnets',
      'DescribeTags',
      'DescribeTargetGroups',
      'DescribeTargetHealth',
    ]);
    expect(settledServices(await world.infrastructure())).toMatch(/^[0-9a-f]{16}$/);
  });

  it('causes no call for the target groups of other clusters whose Service has the same name', async () => {
    world.state.services = [aService()];
    await world.pass();
    const theirs = { VpcId: world.ids.vpc, Port: 1, Protocol: 'TCP' } as const;
    await world.elbv2.send(new CreateTargetGroupCommand({ Name: 'k8s-shop-web-0123456789', ...theirs }));
    const before = world.test.calls.length;

    expect(await world.pass()).toEqual([]);

    const looks = world.test.calls.slice(before).filter((call) => call.endsWith(':DescribeTargetHealth'));
    expect(looks).toHaveLength(1);
  });

  it('follows changes of the nodes', async () => {
    const [first = '', second = ''] = world.ids.nodes;
    world.state.services = [aService()];
    world.state.nodes = [nodeOf(first)];
    await world.pass();

    const excluded = { name: first, labels: { 'node.kubernetes.io/exclude-from-external-load-balancers': '' } };
    world.state.nodes = [nodeOf(first, { metadata: excluded }), nodeOf(second)];
    expect(await world.pass()).toEqual([
      'elasticloadbalancing:DeregisterTargets',
      'elasticloadbalancing:RegisterTargets',
    ]);

    expect((await lookAtBalancers(world.elbv2)).groups[0]?.targets).toEqual([`${second}:30080`]);
    expect(world.events()).toContain('UpdatedLoadBalancer: Updated load balancer with new hosts');
  });

  it('follows changes of its ports: a changed node port gets another target group in the same listener', async () => {
    world.state.services = [aService()];
    await world.pass();
    const before = (await lookAtBalancers(world.elbv2)).groups[0]?.name;

    const ports = [
      { name: 'http', protocol: 'TCP', port: 80, nodePort: 30081 },
      { name: 'https', protocol: 'TCP', port: 443, nodePort: 30443 },
    ];
    world.state.services = [{ ...(world.service() ?? aService()), ports }];
    await world.pass();

    const { balancers, groups } = await lookAtBalancers(world.elbv2);
    expect(balancers[0]?.listeners.map(({ port }) => port).sort()).toEqual(['TCP 443', 'TCP 80']);
    expect(groups.map(({ port }) => port).sort()).toEqual([30081, 30443]);
    expect(groups.map(({ name }) => name)).not.toContain(before);
    expect(await world.rules(world.ids.nodesGroup)).toEqual([
      'icmp 3-4 0.0.0.0/0 mtu',
      `tcp 30081-30081 0.0.0.0/0 client=${NAME}`,
      `tcp 30443-30443 0.0.0.0/0 client=${NAME}`,
    ]);
  });

  it('has only the rules that its source ranges and health checks need', async () => {
    const changes = {
      loadBalancerSourceRanges: ['192.0.2.0/24'],
      externalTrafficPolicy: 'Local',
      healthCheckNodePort: 31000,
    };
    world.state.services = [aService(changes)];

    await world.pass();

    expect((await lookAtBalancers(world.elbv2)).groups).toMatchObject([
      { check: 'HTTP 31000 /healthz', counts: [10, 2, 2] },
    ]);
    expect(await world.rules(world.ids.nodesGroup)).toEqual([
      'icmp 3-4 192.0.2.0/24 mtu',
      `tcp 30080-30080 192.0.2.0/24 client=${NAME}`,
      `tcp 31000-31000 10.0.0.0/24 health=${NAME}`,
      `tcp 31000-31000 10.0.1.0/24 health=${NAME}`,
    ]);
  });

  it('may be internal, terminate TLS, and balance across zones', async () => {
    const certificate = 'arn:aws:acm:us-east-1:000000000000:certificate/1';
    const wishes = { internal: 'true', 'ssl-cert': certificate, 'cross-zone-load-balancing-enabled': 'true' };
    world.state.services = [annotated({ ...wishes, 'additional-resource-tags': 'team=a,empty' })];

    await world.pass();

    const { balancers } = await lookAtBalancers(world.elbv2);
    expect(balancers).toMatchObject([
      {
        scheme: 'internal',
        subnets: [world.ids.privateA, world.ids.publicB],
        attributes: expect.objectContaining({ 'load_balancing.cross_zone.enabled': 'true' }),
        tags: { team: 'a', empty: '' },
        listeners: [{ port: 'TLS 80', certificate }],
      },
    ]);
  });

  it('may use UDP', async () => {
    world.state.services = [aService({ ports: [{ name: 'dns', protocol: 'UDP', port: 53, nodePort: 30053 }] })];

    await world.pass();

    expect((await lookAtBalancers(world.elbv2)).balancers[0]?.listeners).toMatchObject([{ port: 'UDP 53' }]);
    expect(await world.rules(world.ids.nodesGroup)).toEqual([
      'icmp 3-4 0.0.0.0/0 mtu',
      `tcp 30053-30053 10.0.0.0/24 health=${NAME}`,
      `tcp 30053-30053 10.0.1.0/24 health=${NAME}`,
      `udp 30053-30053 0.0.0.0/0 client=${NAME}`,
    ]);
  });

  it.each([
    ['one that is deleted', { isDeleted: true }],
    ['one of another type', { type: 'ClusterIP' }],
  ])('loses all its resources: %s', async (_, changes) => {
    const other = aService({
      name: 'other',
      uid: 'bbbbbbbb',
      ports: [{ name: '', protocol: 'TCP', port: 1, nodePort: 30001 }],
    });
    world.state.services = [aService(), other];
    await world.pass();

    world.state.services = world.state.services.map((one) => (one.name === 'web' ? { ...one, ...changes } : one));
    await world.pass();

    const { balancers, groups } = await lookAtBalancers(world.elbv2);
    expect(balancers.map(({ name }) => name)).toEqual(['abbbbbbbb']);
    expect(groups.map(({ port }) => port)).toEqual([30001]);
    expect(await world.rules(world.ids.nodesGroup)).toEqual([
      'icmp 3-4 0.0.0.0/0 mtu',
      'tcp 30001-30001 0.0.0.0/0 client=abbbbbbbb',
    ]);
    const left = world.state.services.find(({ name }) => name === 'web');
    expect([left?.finalizers ?? [], left?.ingress ?? []]).toEqual([[], []]);
    expect(world.events()).toContain('DeletedLoadBalancer: Deleted load balancer');
    const settled = settledServices(await world.infrastructure());
    await world.pass();
    expect(settledServices(await world.infrastructure())).toBe(settled);
  });
});
