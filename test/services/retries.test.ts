/** Services whose load balancers become possible only after a change in the account, which nothing reports. */
import { afterEach, beforeEach, expect, it } from 'vitest';
import { isServicesNews } from '../../shared/plan/services/digest.ts';
import { aClassic, annotated, aService, type ServiceWorld, startServiceWorld } from './world.ts';

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
