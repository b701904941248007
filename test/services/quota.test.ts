/** Services whose rules do not fit into the security group of the nodes: EC2 allows sixty in each. */
import { afterEach, beforeEach, expect, it } from 'vitest';
import type { Service } from '../../shared/plan/services/service.ts';
import { lookAtBalancers } from './look.ts';
import { aService, type ServiceWorld, startServiceWorld } from './world.ts';

let world: ServiceWorld;
beforeEach(async () => {
  world = await startServiceWorld();
});
afterEach(() => world.close());

const serviceAt = (name: string, port: number, changes: Partial<Service> = {}): Service =>
  aService({ name, uid: name, ports: [{ name: '', protocol: 'TCP', port, nodePort: 30000 + port }], ...changes });

const ranges = (count: number, net: string) => Array.from({ length: count }, (_, index) => `${net}.${index}.0/24`);

const portsOpen = async () => {
  const rules = await world.rules(world.ids.nodesGroup);
  return [1, 2, 3].filter((port) => rules.some((rule) => rule.includes(`${30000 + port}-`)));
};

const change = (name: string, changes: Partial<Service>) => {
  world.state.services = world.state.services.map((one) => (one.name === name ? { ...one, ...changes } : one));
};

it('only the Service that exceeds the quota fails, and others are created and deleted', async () => {
  world.state.services = [
    serviceAt('old', 1),
    serviceAt('greedy', 2, { loadBalancerSourceRanges: ranges(70, '10.9') }),
  ];
  await world.pass();
  world.state.services = [...world.state.services, serviceAt('new', 3)];
  await world.pass();

  expect(await portsOpen()).toEqual([1, 3]);
  const ready = world.state.services.filter(({ ingress }) => ingress.length > 0);
  expect(ready.map(({ name }) => name)).toEqual(['old', 'new']);
  const { reason, message } = (await world.condition()) ?? {};
  expect(reason).toBe('ServicesFailed');
  expect(message?.match(/Service shop\/\w+/g)).toEqual(['Service shop/greedy']);
  expect(message).toContain('RulesPerSecurityGroupLimitExceeded');

  change('old', { isDeleted: true });
  await world.pass();

  expect(world.state.services.map(({ name }) => name)).toEqual(['greedy', 'new']);
  expect(await portsOpen()).toEqual([3]);
  expect((await lookAtBalancers(world.elbv2)).balancers).toHaveLength(2);
});

it('new rules replace old ones even if the quota has no room for both', async () => {
  world.state.services = [serviceAt('full', 1, { loadBalancerSourceRanges: ranges(25, '10.8') })];
  await world.pass();

  change('full', { loadBalancerSourceRanges: ranges(25, '10.9') });
  await world.pass();

  const clients = (await world.rules(world.ids.nodesGroup)).filter((rule) => rule.includes('client='));
  expect(clients).toHaveLength(25);
  expect(clients.every((rule) => rule.includes('10.9.'))).toBe(true);
  expect(await world.condition()).toMatchObject({ status: 'True' });
});

it('the old rules of a Service stay while EC2 fails to write new ones', async () => {
  world.state.services = [serviceAt('web', 1)];
  await world.pass();
  const before = await world.rules(world.ids.nodesGroup);
  const fault = { code: 'InternalError', status: 500 };
  for (let count = 0; count < 9; count += 1) world.test.account.failNext('ec2', 'AuthorizeSecurityGroupIngress', fault);

  change('web', { loadBalancerSourceRanges: ['192.0.2.0/24'] });
  await world.pass();

  expect(await world.rules(world.ids.nodesGroup)).toEqual(before);
  expect(await world.condition()).toMatchObject({ status: 'False' });
});
