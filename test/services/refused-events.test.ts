/** Workload clusters that refuse events, as in a namespace that is being deleted, or because of a quota. */
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { type RouteWorld, routedNode, startRouteWorld } from '../routes/world.ts';
import { lookAtBalancers } from './look.ts';
import { aService, type ServiceWorld, startServiceWorld } from './world.ts';

describe('a Service whose events are refused', () => {
  let world: ServiceWorld;
  beforeEach(async () => {
    world = await startServiceWorld();
  });
  afterEach(() => world.close());

  it('is released once its load balancer is deleted', async () => {
    world.state.services = [aService()];
    await world.pass();
    world.state.services = world.state.services.map((one) => ({ ...one, isDeleted: true }));
    world.refuseEvents();

    await world.pass();

    expect(world.state.services).toEqual([]);
    expect((await lookAtBalancers(world.elbv2)).balancers).toEqual([]);
    expect(await world.condition()).toMatchObject({ status: 'True' });
  });

  it('gets its load balancer, or a condition with the reason why it has none', async () => {
    world.refuseEvents();
    world.state.services = [aService(), aService({ name: 'odd', uid: 'odd', sessionAffinity: 'ClientIP' })];

    await world.pass();

    expect(world.service()?.ingress).toHaveLength(1);
    expect(await world.condition()).toMatchObject({
      message: expect.stringMatching(/^Service shop\/odd: spec\.sessionAffinity: must be None.*$/),
    });
  });
});

describe('a node whose events are refused', () => {
  let world: RouteWorld;
  beforeEach(async () => {
    world = await startRouteWorld();
  });
  afterEach(() => world.close());

  it('gets its condition', async () => {
    world.refuseEvents();
    world.state.nodes = [routedNode('a', world.first, '10.1.0.0/24')];

    await world.pass();

    expect(world.network()).toEqual(['a True NoRouteCreated: RouteController failed to create a route']);
    expect((await world.condition())?.message).not.toContain('could not be written');
  });
});
