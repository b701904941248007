/** Services that are deleted while AWS does not show their new load balancers yet. */
import { DescribeLoadBalancersCommand as DescribeClassic } from '@aws-sdk/client-elastic-load-balancing';
import { DescribeLoadBalancersCommand, DescribeTargetGroupsCommand } from '@aws-sdk/client-elastic-load-balancing-v2';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { CLEANUP_FINALIZER } from '../../shared/plan/services/service.ts';
import { lookAtBalancers } from './look.ts';
import { lookAtClassics } from './look-classic.ts';
import { aClassic, aService, type ServiceWorld, startServiceWorld } from './world.ts';

let world: ServiceWorld;
beforeEach(async () => {
  world = await startServiceWorld();
});
afterEach(() => world.close());

/** Lists no load balancers until the returned function is called. */
const hide = (client: { send: unknown }, type: new (...input: never[]) => unknown, nothing: object): (() => void) => {
  const send = (client.send as (command: unknown) => Promise<unknown>).bind(client);
  client.send = async (command: unknown) => (command instanceof type ? nothing : send(command));
  return () => {
    client.send = send;
  };
};

const hideNetwork = () => {
  const showGroups = hide(world.elbv2, DescribeTargetGroupsCommand, { TargetGroups: [] });
  const showBalancers = hide(world.elbv2, DescribeLoadBalancersCommand, { LoadBalancers: [] });
  return () => {
    showBalancers();
    showGroups();
  };
};
const hideClassic = () => hide(world.elb, DescribeClassic, { LoadBalancerDescriptions: [] });

const remove = () => {
  world.state.services = world.state.services.map((one) => ({ ...one, isDeleted: true }));
};

const balancers = async () => [
  ...(await lookAtBalancers(world.elbv2)).balancers,
  ...(await lookAtClassics(world.elb, world.ec2)).classics,
];

it.each([
  ['network', () => aService(), hideNetwork],
  ['classic', () => aClassic(), hideClassic],
  ['classic, with a security group of its user', () => aClassic({ 'security-groups': world.ids.given }), hideClassic],
])('keep their finalizer until it is known that nothing is left: %s', async (_, service, conceal) => {
  world.state.services = [{ ...service(), createdAt: world.clock.now().toISOString() }];
  await world.pass();
  remove();
  const show = conceal();

  await world.pass();
  expect(world.service()?.finalizers).toEqual([CLEANUP_FINALIZER]);
  show();
  expect(await balancers()).toHaveLength(1);
  await world.pass();
  world.test.clock.advance(60_000);
  await world.pass();

  expect(await balancers()).toEqual([]);
  expect(world.state.services).toEqual([]);
});

it('lose their finalizer in the end if there never was one', async () => {
  const createdAt = world.clock.now().toISOString();
  world.state.services = [aService({ createdAt, isDeleted: true, finalizers: [CLEANUP_FINALIZER] })];

  await world.pass();
  expect(world.state.services).toHaveLength(1);
  world.clock.advance(301);
  await world.pass();

  expect(world.state.services).toEqual([]);
});

it('lose their finalizer immediately if their load balancers are shown and deleted', async () => {
  const createdAt = world.clock.now().toISOString();
  world.state.services = [aService({ createdAt }), aClassic({}, { createdAt, name: 'classic', uid: 'classic' })];
  await world.pass();
  remove();

  await world.pass();
  world.test.clock.advance(60_000);
  await world.pass();

  expect(world.state.services).toEqual([]);
});
