/** Load balancers whose Services were changed to something that is refused, while the nodes of their cluster change. */
import { afterEach, beforeEach, expect, it } from 'vitest';
import { isServicesNews } from '../../shared/plan/services/digest.ts';
import type { Service } from '../../shared/plan/services/service.ts';
import { lookAtBalancers } from './look.ts';
import { lookAtClassics } from './look-classic.ts';
import { aClassic, annotated, nodeOf, type ServiceWorld, startServiceWorld } from './world.ts';

let world: ServiceWorld;
beforeEach(async () => {
  world = await startServiceWorld();
});
afterEach(() => world.close());

const networkTargets = async () => (await lookAtBalancers(world.elbv2)).groups.flatMap(({ targets }) => targets);
const classicTargets = async () => (await lookAtClassics(world.elb, world.ec2)).classics[0]?.instances ?? [];

const change = (service: Service) => {
  world.state.services = world.state.services.map((one) => ({
    ...one,
    annotations: service.annotations,
    sessionAffinity: service.sessionAffinity,
  }));
};

const INVALID = { 'healthcheck-interval': 'often' };
const NO_SUBNET = { subnets: 'subnet-12345678' };

it.each([
  ['a network one, an invalid annotation', annotated({}), annotated(INVALID), networkTargets, ':30080'],
  ['a classic one, an invalid annotation', aClassic(), aClassic(INVALID), classicTargets, ''],
  ['a classic one, a subnet that the VPC does not have', aClassic(), aClassic(NO_SUBNET), classicTargets, ''],
  ['a network one, another type', annotated({}), aClassic(), networkTargets, ':30080'],
  ['a classic one, another type', aClassic(), annotated({}), classicTargets, ''],
])('forward to the new nodes: %s', async (_, service, refused, targets, suffix) => {
  world.state.services = [service];
  await world.pass();
  const added = await world.launch();
  world.test.clock.advance(60_000);
  world.state.nodes = [nodeOf(added)];
  change(refused);

  await world.pass();

  expect(await targets()).toEqual([`${added}${suffix}`]);
  const { balancers } = await lookAtBalancers(world.elbv2);
  expect([...balancers, ...(await lookAtClassics(world.elb, world.ec2)).classics]).toHaveLength(1);
  expect(await world.condition()).toMatchObject({ status: 'False', message: expect.stringContaining('annotation') });
  expect(await world.pass()).toEqual([]);
});

it('get another pass for a node whose instance is not running yet', async () => {
  world.state.services = [annotated({})];
  await world.pass();
  world.state.nodes = [...world.state.nodes, nodeOf(await world.launch())];
  change(annotated(INVALID));

  await world.pass();

  const infrastructure = await world.infrastructure();
  if (!infrastructure) throw new Error('the cluster has no infrastructure');
  expect(isServicesNews(infrastructure, world.state.services, world.state.nodes, false)).toBe(true);
});
