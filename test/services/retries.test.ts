/** Services whose load balancers become possible only after a change in the account, which nothing reports. */
import { afterEach, beforeEach, expect, it } from 'vitest';
import { isServicesNews } from '../../shared/plan/services/digest.ts';
import { lookAtBalancers } from './look.ts';
import { aClassic, annotated, aService, nodeOf, type ServiceWorld, startServiceWorld } from './world.ts';

let world: ServiceWorld;
beforeEach(async () => {
  world = await startServiceWorld();
});
afterEach(() => world.close());

/** Whether a sweep requests a pass over the cluster as it is now. */
const needsPass = async (isHourly: boolean): Promise<boolean> => {
  const infrastructure = await world.infrastructure();
  if (!infrastructure) throw new Error('the cluster has no infrastructure');
  return isServicesNews(infrastructure, world.state.services, world.state.nodes, isHourly);
};

it('a Service whose security group lacks the tag of the cluster is retried every hour', async () => {
  world.state.services = [aClassic({ 'security-groups': world.ids.stranger })];
  await world.pass();
  expect(await world.condition()).toMatchObject({ status: 'False', reason: 'ServicesFailed' });

  expect([await needsPass(false), await needsPass(true)]).toEqual([false, true]);
  await world.tag(world.ids.stranger, { 'kubernetes.io/cluster/red': 'shared' });
  await world.pass();

  expect(await world.condition()).toMatchObject({ status: 'True' });
  expect([await needsPass(false), await needsPass(true)]).toEqual([false, false]);
});

it.each([
  ['a subnet that the VPC does not have', annotated({ subnets: 'subnet-12345678' })],
  ['a security group that the VPC does not have', aClassic({ 'security-groups': 'sg-12345678' })],
])('a Service with %s is retried every hour', async (_, service) => {
  world.state.services = [service];

  await world.pass();

  expect([await needsPass(false), await needsPass(true)]).toEqual([false, true]);
});

it('a Service that only its author can correct is not retried', async () => {
  world.state.services = [aService({ sessionAffinity: 'ClientIP' })];

  await world.pass();

  expect([await needsPass(false), await needsPass(true)]).toEqual([false, false]);
});

it('a node gets traffic as soon as EC2 lists its instance as running', async () => {
  world.state.services = [aService()];
  const id = await world.launch();
  world.state.nodes = [...world.state.nodes, nodeOf(id)];

  await world.pass();
  expect(await needsPass(false)).toBe(true);
  expect(await world.condition()).toMatchObject({
    status: 'True',
    message: expect.stringContaining(`does not list the instances of nodes as running, so they get no traffic: ${id}`),
  });
  world.test.clock.advance(60_000);
  await world.pass();

  expect((await lookAtBalancers(world.elbv2)).groups[0]?.targets).toContain(`${id}:30080`);
  expect(await world.condition()).toMatchObject({ message: '1 Services have load balancers' });
  expect([await needsPass(false), await needsPass(true)]).toEqual([false, false]);
});

it.each([
  ['soon while the node is new', '2030-01-01T00:00:00Z', true],
  ['every hour if the node is old', '2029-12-31T23:54:00Z', false],
])('a node whose instance EC2 does not list is looked at again %s', async (_, created, isSoon) => {
  world.state.services = [aService()];
  const metadata = { name: 'late', creationTimestamp: new Date(created) };
  world.state.nodes = [...world.state.nodes, nodeOf('i-0123456789abcdef0', { metadata })];

  await world.pass();

  expect([await needsPass(false), await needsPass(true)]).toEqual([isSoon, true]);
});

it('a node that names the instance of another cluster is not looked at again', async () => {
  world.state.services = [aService()];
  world.state.nodes = [...world.state.nodes, nodeOf(world.ids.theirs)];

  await world.pass();

  expect(await world.condition()).toMatchObject({ message: '1 Services have load balancers' });
  expect([await needsPass(false), await needsPass(true)]).toEqual([false, false]);
});
