/** Load balancers that others delete during a pass. */
import {
  DeleteLoadBalancerCommand,
  DescribeLoadBalancersCommand,
  DescribeTagsCommand,
} from '@aws-sdk/client-elastic-load-balancing-v2';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { lookAtBalancers } from './look.ts';
import { aService, type ServiceWorld, startServiceWorld } from './world.ts';

let world: ServiceWorld;
beforeEach(async () => {
  world = await startServiceWorld();
});
afterEach(() => world.close());

it('a load balancer that disappears while the tags are read is no failure of the other Services', async () => {
  const other = aService({
    ...{ name: 'other', uid: 'cccccccc' },
    ports: [{ name: '', protocol: 'TCP', port: 82, nodePort: 30002 }],
  });
  world.state.services = [aService(), other];
  await world.pass();
  const { LoadBalancers = [] } = await world.elbv2.send(new DescribeLoadBalancersCommand({}));
  expect(LoadBalancers).toHaveLength(2);
  const send = world.elbv2.send.bind(world.elbv2) as (command: unknown) => Promise<unknown>;
  let isOpen = true;
  world.elbv2.send = (async (command: unknown) => {
    if (isOpen && command instanceof DescribeTagsCommand) {
      isOpen = false;
      const { LoadBalancerArn } = LoadBalancers[0] ?? {};
      await send(new DeleteLoadBalancerCommand({ LoadBalancerArn }));
    }
    return send(command);
  }) as never;
  world.state.services = world.state.services.map((one) => ({ ...one, annotations: { ...one.annotations, a: 'b' } }));

  await world.pass();

  expect(isOpen).toBe(false);
  expect(world.events().filter((event) => event.startsWith('SyncLoadBalancerFailed'))).toEqual([]);
  expect(await world.condition()).toMatchObject({ status: 'True' });
  await world.pass();
  expect((await lookAtBalancers(world.elbv2)).balancers).toHaveLength(2);
  expect(await world.condition()).toMatchObject({ status: 'True' });
});
