/** A Service that cannot be read, because it exceeds the limits for what is kept of an API server's responses. */
import { afterEach, beforeEach, expect, it } from 'vitest';
import { isServicesNews } from '../../shared/plan/services/digest.ts';
import { lookAtBalancers } from './look.ts';
import { aService, type ServiceWorld, startServiceWorld } from './world.ts';

let world: ServiceWorld;
beforeEach(async () => {
  world = await startServiceWorld();
});
afterEach(() => world.close());

it('it is reported and keeps its load balancer and rules, while others are served', async () => {
  const odd = aService({ name: 'odd', uid: 'odd', ports: [{ name: '', protocol: 'TCP', port: 9, nodePort: 30009 }] });
  world.state.services = [odd, aService()];
  await world.pass();
  const { namespace, name, uid, resourceVersion } = odd;
  const unread = { namespace, name, uid, resourceVersion, unreadField: 'metadata.annotations' };
  world.state.unread = [unread];
  world.state.services = world.state.services.filter((one) => one.name !== 'odd');
  world.state.services = world.state.services.map((one) => ({ ...one, isDeleted: true }));

  await world.pass();

  expect(world.state.services).toEqual([]);
  expect((await lookAtBalancers(world.elbv2)).balancers).toMatchObject([{ name: 'aodd' }]);
  expect(await world.rules(world.ids.nodesGroup)).toEqual([
    'icmp 3-4 0.0.0.0/0 mtu',
    'tcp 30009-30009 0.0.0.0/0 client=aodd',
  ]);
  expect(await world.condition()).toMatchObject({
    status: 'False',
    reason: 'ServicesFailed',
    message: expect.stringMatching(/^Service shop\/odd: metadata\.annotations: too long/),
  });
  const infrastructure = await world.infrastructure();
  if (!infrastructure) throw new Error('the cluster has no infrastructure');
  const isNews = (resourceVersion: string) =>
    isServicesNews(infrastructure, [{ ...unread, resourceVersion }], world.state.nodes, true);
  expect([isNews(unread.resourceVersion), isNews('changed')]).toEqual([false, true]);
});
