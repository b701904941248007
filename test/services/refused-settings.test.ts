/** Load balancers whose new settings AWS refuses in every pass, while the nodes of their cluster are replaced. */
import { afterEach, beforeEach, expect, it } from 'vitest';
import { lookAtBalancers } from './look.ts';
import { lookAtClassics } from './look-classic.ts';
import { aClassic, annotated, nodeOf, type ServiceWorld, startServiceWorld } from './world.ts';

let world: ServiceWorld;
beforeEach(async () => {
  world = await startServiceWorld();
});
afterEach(() => world.close());

const LOGS = { 'access-log-enabled': 'true', 'access-log-s3-bucket-name': 'theirs' };

const networkTargets = async () => (await lookAtBalancers(world.elbv2)).groups.flatMap(({ targets }) => targets);
const classicTargets = async () => (await lookAtClassics(world.elb, world.ec2)).classics[0]?.instances ?? [];

it.each([
  ['a classic one, its access logs', aClassic(), LOGS, 'ModifyLoadBalancerAttributes', classicTargets, ''],
  [
    'a classic one, its health check',
    aClassic(),
    { 'healthcheck-interval': '20' },
    'ConfigureHealthCheck',
    classicTargets,
    '',
  ],
  [
    'a network one, its health check',
    annotated({}),
    { 'healthcheck-healthy-threshold': '5' },
    'ModifyTargetGroup',
    networkTargets,
    ':30080',
  ],
] as const)('forward to the new nodes: %s', async (_, service, annotations, operation, targets, suffix) => {
  world.state.services = [service];
  await world.pass();
  const added = await world.launch();
  world.test.clock.advance(60_000);
  world.state.nodes = [nodeOf(added)];
  const changed = aClassic(annotations).annotations;
  world.state.services = world.state.services.map((one) => ({
    ...one,
    annotations: { ...one.annotations, ...changed },
  }));
  const fault = { code: 'InvalidConfigurationRequest', status: 409 };
  for (let count = 0; count < 9; count += 1) world.test.account.failNext('elasticloadbalancing', operation, fault);

  await world.pass();
  await world.pass();

  expect(await targets()).toEqual([`${added}${suffix}`]);
  expect(await world.condition()).toMatchObject({
    status: 'False',
    message: expect.stringContaining('InvalidConfigurationRequest'),
  });
});
