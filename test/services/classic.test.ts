/** The life of a Service's classic load balancer, from the Service to the calls. */
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { settledServices } from '../../shared/plan/services/digest.ts';
import { CLEANUP_FINALIZER, type Service } from '../../shared/plan/services/service.ts';
import { lookAtClassics } from './look-classic.ts';
import { aClassic, nodeOf, type ServiceWorld, startServiceWorld } from './world.ts';

let world: ServiceWorld;
beforeEach(async () => {
  world = await startServiceWorld();
});
afterEach(() => world.close());

const NAME = 'a1111111122223333444455555555555';
const GROUP = `k8s-elb-${NAME}`;
const CERTIFICATE = 'arn:aws:acm:us-east-1:000000000000:certificate/1';

const look = () => lookAtClassics(world.elb, world.ec2);
const groupOf = async (name: string) => (await look()).groups.find((group) => group.name === name);
const change = (changes: Partial<Service>) => {
  world.state.services = world.state.services.map((one) => ({ ...one, ...changes }));
};
const annotate = (annotations: Record<string, string>) => change({ annotations: aClassic(annotations).annotations });

describe('a Service without a type', () => {
  it('gets a classic load balancer in a security group of its own, and its address', async () => {
    world.state.services = [aClassic()];

    await world.pass();

    const { classics } = await look();
    expect(classics).toMatchObject([
      {
        name: NAME,
        scheme: 'internet-facing',
        subnets: [world.ids.publicA, world.ids.publicB].sort(),
        groups: [GROUP],
        listeners: ['TCP 80 to TCP 30080'],
        check: { Target: 'TCP:30080', Interval: 10, Timeout: 5, HealthyThreshold: 2, UnhealthyThreshold: 6 },
        instances: [...world.ids.nodes].sort(),
        tags: { 'kubernetes.io/service-name': 'shop/web', 'windlass.dev/cluster': 'default/red' },
      },
    ]);
    expect(await groupOf(GROUP)).toMatchObject({
      description: `Security group for Kubernetes ELB ${NAME} (shop/web)`,
      rules: ['icmp 3-4 0.0.0.0/0', 'tcp 80-80 0.0.0.0/0'],
      tags: { 'kubernetes.io/cluster/red': 'owned', 'windlass.dev/cluster': 'default/red' },
    });
    expect((await groupOf('red-lb'))?.rules).toEqual([`-1 ${GROUP}`]);
    expect(world.service()).toMatchObject({ finalizers: [CLEANUP_FINALIZER], ingress: [classics[0]?.dnsName] });
    expect(world.events()).toContain('EnsuredLoadBalancer: Ensured load balancer');
    expect(await world.condition()).toMatchObject({ status: 'True' });
  });

  it('gets the additional tags of its cluster when it is created, and so does its security group', async () => {
    await world.tagCluster({ CostCenter: '42' });
    world.state.services = [aClassic()];

    await world.pass();

    expect((await look()).classics[0]?.tags).toMatchObject({ CostCenter: '42' });
    expect(await groupOf(GROUP)).toMatchObject({ tags: { CostCenter: '42' } });
    await world.tagCluster({ CostCenter: '43' });
    expect(await world.pass()).toEqual([]);
  });

  it('is not changed by the next pass, which only reads', async () => {
    world.state.services = [aClassic()];
    await world.pass();
    const before = world.test.calls.length;

    expect(await world.pass()).toEqual([]);

    const reads = world.test.calls.slice(before).map((call) => call.split(':')[1]);
    expect(reads.sort()).toEqual([
      'DescribeAvailabilityZones',
      'DescribeInstances',
      'DescribeLoadBalancerAttributes',
      'DescribeLoadBalancers',
      'DescribeLoadBalancers',
      'DescribeRouteTables',
      'DescribeSecurityGroups',
      'DescribeSubnets',
      'DescribeTags',
      'DescribeTargetGroups',
    ]);
    expect(settledServices(await world.infrastructure())).toMatch(/^[0-9a-f]{16}$/);
  });

  it('follows changes of the nodes', async () => {
    const [first = '', second = ''] = world.ids.nodes;
    world.state.services = [aClassic()];
    world.state.nodes = [nodeOf(first)];
    await world.pass();

    world.state.nodes = [nodeOf(second)];
    expect(await world.pass()).toEqual([
      'elasticloadbalancing:RegisterInstancesWithLoadBalancer',
      'elasticloadbalancing:DeregisterInstancesFromLoadBalancer',
    ]);

    expect((await look()).classics[0]?.instances).toEqual([second]);
    expect(world.events()).toContain('UpdatedLoadBalancer: Updated load balancer with new hosts');
  });

  it('follows changes of its ports and source ranges', async () => {
    world.state.services = [aClassic()];
    await world.pass();

    const ports = [
      { name: 'http', protocol: 'TCP', port: 80, nodePort: 30081 },
      { name: 'https', protocol: 'TCP', port: 443, nodePort: 30443 },
    ];
    change({ ports, loadBalancerSourceRanges: ['192.0.2.0/24'] });
    await world.pass();

    expect((await look()).classics).toMatchObject([
      { listeners: ['TCP 443 to TCP 30443', 'TCP 80 to TCP 30081'], check: { Target: 'TCP:30081' } },
    ]);
    expect((await groupOf(GROUP))?.rules).toEqual([
      'icmp 3-4 192.0.2.0/24',
      'tcp 443-443 192.0.2.0/24',
      'tcp 80-80 192.0.2.0/24',
    ]);
  });

  it('terminates TLS with the policy that it names, and uses the proxy protocol until it no longer requests it', async () => {
    world.state.services = [
      aClassic({ 'ssl-cert': CERTIFICATE, 'ssl-negotiation-policy': 'One', 'proxy-protocol': '*' }),
    ];
    await world.pass();
    expect((await look()).classics).toMatchObject([
      {
        listeners: [`SSL 80 to TCP 30080 ${CERTIFICATE} k8s-SSLNegotiationPolicy-One`],
        backends: ['30080 k8s-proxyprotocol-enabled'],
      },
    ]);

    annotate({ 'ssl-cert': CERTIFICATE, 'ssl-negotiation-policy': 'Two' });
    await world.pass();

    expect((await look()).classics).toMatchObject([
      { listeners: [`SSL 80 to TCP 30080 ${CERTIFICATE} k8s-SSLNegotiationPolicy-Two`], backends: [] },
    ]);
    expect(await world.pass()).toEqual([]);
  });

  it('moves to other subnets and gets other tags if its annotations change', async () => {
    world.state.services = [aClassic()];
    await world.pass();

    annotate({ subnets: world.ids.publicB, 'additional-resource-tags': 'team=a' });
    await world.pass();

    expect((await look()).classics).toMatchObject([{ subnets: [world.ids.publicB], tags: { team: 'a' } }]);
  });

  it('switches from its own security group to one that it names, and back', async () => {
    world.state.services = [aClassic()];
    await world.pass();

    annotate({ 'security-groups': world.ids.given });
    await world.pass();
    // AWS has released the group in the meantime.
    world.test.clock.advance(60_000);
    await world.pass();

    expect((await look()).classics).toMatchObject([{ groups: ['given'] }]);
    expect(await groupOf(GROUP)).toBeUndefined();
    expect((await groupOf('red-lb'))?.rules).toEqual(['-1 given']);

    annotate({ 'extra-security-groups': world.ids.given });
    await world.pass();
    expect((await look()).classics).toMatchObject([{ groups: ['given', GROUP] }]);
    expect((await groupOf('red-lb'))?.rules).toEqual([`-1 ${GROUP}`]);
    expect(await groupOf('given')).toMatchObject({ rules: [] });
  });
});

describe('a Service that no longer needs a load balancer', () => {
  it.each([
    ['that is deleted', { isDeleted: true }],
    ['that gets another type', { type: 'ClusterIP' }],
  ])('loses all its resources once AWS has released the interfaces: one %s', async (_, changes) => {
    const ports = [{ name: '', protocol: 'TCP', port: 1, nodePort: 30001 }];
    world.state.services = [aClassic(), aClassic({}, { name: 'other', uid: 'bbbbbbbb', ports })];
    await world.pass();

    world.state.services = world.state.services.map((one) => (one.name === 'web' ? { ...one, ...changes } : one));
    await world.pass();
    expect((await look()).classics.map(({ name }) => name)).toEqual(['abbbbbbbb']);
    expect(world.service()?.finalizers).toEqual([CLEANUP_FINALIZER]);
    expect(await world.condition()).toMatchObject({
      status: 'True',
      message: expect.stringContaining('1 more Services wait for a later pass'),
    });
    expect(settledServices(await world.infrastructure())).toBeUndefined();

    world.test.clock.advance(60_000);
    await world.pass();

    expect(await groupOf(GROUP)).toBeUndefined();
    expect((await groupOf('red-lb'))?.rules).toEqual(['-1 k8s-elb-abbbbbbbb']);
    const left = world.state.services.find(({ name }) => name === 'web');
    expect([left?.finalizers ?? [], left?.ingress ?? []]).toEqual([[], []]);
    expect(world.events()).toContain('DeletedLoadBalancer: Deleted load balancer');
  });

  it('keeps the security group that it named, and its rule while another Service names the group', async () => {
    const named = { 'security-groups': world.ids.given };
    world.state.services = [aClassic(named), aClassic(named, { name: 'other', uid: 'bbbbbbbb' })];
    await world.pass();

    world.state.services = world.state.services.map((one) => ({ ...one, isDeleted: one.name === 'web' }));
    await world.pass();
    expect((await groupOf('red-lb'))?.rules).toEqual(['-1 given']);

    change({ isDeleted: true });
    await world.pass();
    expect(await look()).toMatchObject({ classics: [] });
    expect(await groupOf('given')).toBeDefined();
    expect((await groupOf('red-lb'))?.rules).toEqual([]);
    expect(world.state.services).toEqual([]);
  });
});
