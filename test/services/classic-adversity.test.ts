/** Classic load balancers: Services with requests that are not permitted, resources of others, and faults of AWS. */
import {
  AuthorizeSecurityGroupIngressCommand,
  CreateSecurityGroupCommand,
  DeleteSecurityGroupCommand,
} from '@aws-sdk/client-ec2';
import { CreateLoadBalancerCommand } from '@aws-sdk/client-elastic-load-balancing';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { settledServices } from '../../shared/plan/services/digest.ts';
import { CLEANUP_FINALIZER, type Service } from '../../shared/plan/services/service.ts';
import { lookAtBalancers } from './look.ts';
import { lookAtClassics } from './look-classic.ts';
import { aClassic, annotated, aService, nodeOf, type ServiceWorld, startServiceWorld } from './world.ts';

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
const failures = () => world.events().filter((event) => event.startsWith('SyncLoadBalancerFailed'));
const GOOD = aClassic({}, { name: 'good', uid: 'bbbbbbbb', ports: [{ ...portOf(81, 30001) }] });

function portOf(port: number, nodePort: number) {
  return { name: '', protocol: 'TCP', port, nodePort };
}

describe('a Service with a request that cannot be fulfilled', () => {
  const named = (key: 'security-groups' | 'extra-security-groups', id: string) => aClassic({ [key]: id });

  it.each<[string, () => Service, string]>([
    ['UDP', () => aClassic({}, { ports: [{ ...portOf(53, 30053), protocol: 'UDP' }] }), 'protocol UDP'],
    ['attributes of target groups', () => aClassic({ 'target-group-attributes': 'a=b' }), 'target-group-attributes'],
    ['a proxy protocol for some ports', () => aClassic({ 'proxy-protocol': '80' }), 'must be *, not "80"'],
    [
      'an unknown protocol of its nodes',
      () => aClassic({ 'ssl-cert': CERTIFICATE, 'backend-protocol': 'grpc' }),
      'backend-protocol: must be http, https, ssl or tcp, not "grpc"',
    ],
    ['a strange policy', () => aClassic({ 'ssl-negotiation-policy': 'a b' }), 'must be the name of a security policy'],
    ['too long an idle timeout', () => aClassic({ 'connection-idle-timeout': '9999' }), 'seconds from 1 to 4000'],
    ['logs without a bucket', () => aClassic({ 'access-log-enabled': 'true' }), 's3-bucket-name: must name'],
    ['checks that are too frequent', () => aClassic({ 'healthcheck-interval': '1' }), 'must be from 5 to 300, not 1'],
    [
      'a timeout that is longer than the interval',
      () => aClassic({ 'healthcheck-timeout': '20' }),
      'healthcheck-timeout: must be shorter than the interval, 10 s',
    ],
    ['something that is no group', () => named('security-groups', 'default'), '"default" is not the id'],
    ['a group that there is not', () => named('security-groups', 'sg-0123'), 'VPC has no such group'],
    [
      'a group that nobody gave to the cluster',
      () => named('security-groups', world.ids.stranger),
      'must have the tag',
    ],
    ['the group of the nodes', () => named('extra-security-groups', world.ids.nodesGroup), 'is part of a cluster'],
    ['the group of another cluster', () => named('security-groups', world.ids.theirGroup), 'is part of a cluster'],
  ])(
    'gets an event that names the reason and no partial load balancer, while others are served: %s',
    async (_, bad, reason) => {
      world.state.services = [bad(), GOOD];

      await world.pass();

      const { classics, groups } = await look();
      expect(classics.map(({ name }) => name)).toEqual(['abbbbbbbb']);
      expect(groups.map(({ name }) => name)).not.toContain(GROUP);
      expect(failures()).toEqual([expect.stringContaining(reason)]);
      // Another check does not help before the Service is changed.
      expect(settledServices(await world.infrastructure())).toBeDefined();
    },
  );

  it.each<[string, Service, Service]>([
    ['classic', aClassic(), annotated({})],
    ['network', annotated({}), aClassic()],
  ])('keeps its %s load balancer, even if it requests the other type', async (now, before, after) => {
    world.state.services = [before];
    await world.pass();
    const made = [await look(), await lookAtBalancers(world.elbv2)];

    world.state.services = world.state.services.map((one) => ({ ...one, annotations: after.annotations }));
    expect(await world.pass()).toEqual([]);

    expect([await look(), await lookAtBalancers(world.elbv2)]).toEqual(made);
    expect(failures()).toEqual([expect.stringContaining(`cannot be changed while the Service has its ${now}`)]);

    // Its deletion does not depend on the annotation either.
    world.state.services = world.state.services.map((one) => ({ ...one, isDeleted: true }));
    await world.pass();
    world.test.clock.advance(60_000);
    await world.pass();
    expect(world.state.services).toEqual([]);
    expect([(await look()).classics, (await lookAtBalancers(world.elbv2)).balancers]).toEqual([[], []]);
  });
});

describe('resources of others', () => {
  const CREATE = {
    LoadBalancerName: NAME,
    Listeners: [{ Protocol: 'TCP', LoadBalancerPort: 1, InstancePort: 1 }],
  };

  it('are not added to the load balancer: a node names the instance of another cluster', async () => {
    world.state.services = [aClassic()];
    world.state.nodes = [nodeOf(world.ids.theirs)];

    await world.pass();

    expect((await look()).classics).toMatchObject([{ instances: [] }]);
    expect((await groupOf('blue-lb'))?.rules).toEqual([]);
    expect(world.events()).toContain('UnAvailableLoadBalancer: There are no available nodes for LoadBalancer');
  });

  it('are neither used nor deleted: a load balancer with the name of the Service’s own', async () => {
    await world.elb.send(new CreateLoadBalancerCommand({ ...CREATE, Subnets: [world.ids.publicA] }));
    const before = (await look()).classics;
    world.state.services = [aClassic()];

    await world.pass();
    expect(failures()).toEqual([expect.stringContaining(`load balancer ${NAME} exists and was not made`)]);
    world.state.services = [aClassic({}, { isDeleted: true, finalizers: [CLEANUP_FINALIZER] })];
    await world.pass();

    expect((await look()).classics).toEqual(before);
    expect(world.state.services).toEqual([]);
  });

  it('are neither used nor deleted: a load balancer of another Service with the same uid', async () => {
    world.state.services = [aClassic()];
    await world.pass();
    const before = await look();

    world.state.services = [aClassic({}, { name: 'forged' })];
    expect(await world.pass()).toEqual([]);
    world.state.services = [aClassic({}, { name: 'forged', isDeleted: true, finalizers: [CLEANUP_FINALIZER] })];
    expect(await world.pass()).toEqual([]);

    expect(await look()).toEqual(before);
  });

  it('are neither used nor deleted: a security group with the name of the Service’s own', async () => {
    const group = { GroupName: GROUP, Description: "a person's", VpcId: world.ids.vpc };
    const { GroupId } = await world.ec2.send(new CreateSecurityGroupCommand(group));
    world.state.services = [aClassic()];

    await world.pass();
    expect((await look()).classics).toEqual([]);
    expect(failures()).toEqual([expect.stringContaining(`security group ${GROUP} exists and was not made`)]);
    world.state.services = world.state.services.map((one) => ({ ...one, isDeleted: true }));
    await world.pass();

    expect(await groupOf(GROUP)).toMatchObject({ id: GroupId, rules: [] });
    expect(world.state.services).toEqual([]);
  });

  it('stay: a rule for the same security group that another program wrote', async () => {
    const rule = { IpProtocol: '-1', UserIdGroupPairs: [{ GroupId: world.ids.given, Description: 'by hand' }] };
    const input = { GroupId: world.ids.nodesGroup, IpPermissions: [rule] };
    await world.ec2.send(new AuthorizeSecurityGroupIngressCommand(input));
    world.state.services = [aClassic({ 'security-groups': world.ids.given })];
    await world.pass();

    world.state.services = world.state.services.map((one) => ({ ...one, isDeleted: true }));
    await world.pass();

    expect(await world.rules(world.ids.nodesGroup)).toEqual([`-1 ${world.ids.given} by hand`]);
  });
});

describe('a pass', () => {
  const CALLS = [
    ['ec2', 'CreateSecurityGroup'],
    ['ec2', 'AuthorizeSecurityGroupIngress'],
    ['elasticloadbalancing', 'CreateLoadBalancer'],
    ['elasticloadbalancing', 'CreateLoadBalancerPolicy'],
    ['elasticloadbalancing', 'SetLoadBalancerPoliciesForBackendServer'],
    ['elasticloadbalancing', 'SetLoadBalancerPoliciesOfListener'],
    ['elasticloadbalancing', 'ConfigureHealthCheck'],
    ['elasticloadbalancing', 'RegisterInstancesWithLoadBalancer'],
  ] as const;
  const WISHES = { 'ssl-cert': CERTIFICATE, 'ssl-negotiation-policy': 'One', 'proxy-protocol': '*' };

  it.each(
    CALLS.flatMap(([service, operation]) =>
      (['before', 'after'] as const).map((when) => [service, operation, when] as const),
    ),
  )(
    'reports a call of %s %s that fails %s it was carried out, and the next pass recovers',
    async (service, operation, when) => {
      world.test.account.failNext(service, operation, { code: 'InternalFailure', status: 500, when });
      world.state.services = [aClassic(WISHES)];

      await world.pass();
      expect(failures()).toEqual([expect.stringContaining('InternalFailure')]);
      expect(settledServices(await world.infrastructure())).toBeUndefined();
      await world.pass();

      const { classics, groups } = await look();
      expect(classics).toMatchObject([
        {
          listeners: [`SSL 80 to TCP 30080 ${CERTIFICATE} k8s-SSLNegotiationPolicy-One`],
          backends: ['30080 k8s-proxyprotocol-enabled'],
          groups: [GROUP],
          check: { Interval: 10 },
        },
      ]);
      expect(classics[0]?.instances).toHaveLength(2);
      expect(groups.filter(({ name }) => name === GROUP)).toMatchObject([
        { rules: ['icmp 3-4 0.0.0.0/0', 'tcp 80-80 0.0.0.0/0'] },
      ]);
      expect((await groupOf('red-lb'))?.rules).toEqual([`-1 ${GROUP}`]);
      expect(await world.condition()).toMatchObject({ status: 'True' });
    },
  );

  it('creates everything once even if another pass runs at the same time', async () => {
    world.state.services = [aClassic(WISHES)];

    await Promise.all([world.pass(), world.pass()]);
    await world.pass();

    const { classics, groups } = await look();
    expect(classics).toHaveLength(1);
    expect(groups.filter(({ name }) => name === GROUP)).toHaveLength(1);
    expect((await groupOf('red-lb'))?.rules).toEqual([`-1 ${GROUP}`]);
    expect(await world.condition()).toMatchObject({ status: 'True' });
    expect(await world.pass()).toEqual([]);
  });

  it('keeps a deleted Service until its security group is gone, even if a person deletes the group', async () => {
    world.state.services = [aClassic()];
    await world.pass();
    world.test.account.failNext('ec2', 'DeleteSecurityGroup', { code: 'InternalFailure', status: 500 });
    world.state.services = world.state.services.map((one) => ({ ...one, isDeleted: true }));

    await world.pass();
    expect(failures()).toEqual([expect.stringContaining('InternalFailure')]);
    expect(world.service()?.finalizers).toEqual([CLEANUP_FINALIZER]);
    world.test.clock.advance(60_000);
    const GroupId = (await groupOf(GROUP))?.id ?? '';
    await world.ec2.send(new DeleteSecurityGroupCommand({ GroupId }));
    await world.pass();

    expect(world.state.services).toEqual([]);
  });

  it('serves other Services if AWS refuses the load balancer of one', async () => {
    world.state.services = [aClassic({ 'ssl-cert': 'arn:other' }), GOOD];

    await world.pass();

    expect((await look()).classics.map(({ name }) => name)).toEqual(['abbbbbbbb']);
    expect(failures()).toEqual([expect.stringContaining('CertificateNotFound')]);
    expect((await groupOf('red-lb'))?.rules).toEqual(['-1 k8s-elb-abbbbbbbb']);
  });
});

it('a network and a classic load balancer share no rules', async () => {
  world.state.services = [aService(), GOOD];
  await world.pass();
  world.state.services = world.state.services.map((one) => ({ ...one, isDeleted: one.name === 'good' }));
  await world.pass();

  expect(await world.rules(world.ids.nodesGroup)).toEqual([
    'icmp 3-4 0.0.0.0/0 mtu',
    `tcp 30080-30080 0.0.0.0/0 client=${NAME}`,
  ]);
});
