/** Nodes outside the security group in which Windlass writes the rules of load balancers. */
import { DescribeInstancesCommand, ModifyNetworkInterfaceAttributeCommand } from '@aws-sdk/client-ec2';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { settledServices } from '../../shared/plan/services/digest.ts';
import { lookAtBalancers } from './look.ts';
import { aService, nodeOf, type ServiceWorld, startServiceWorld } from './world.ts';

let world: ServiceWorld;
beforeEach(async () => {
  world = await startServiceWorld();
});
afterEach(() => world.close());

const moveTo = async (instanceId: string | undefined, groupId: string): Promise<void> => {
  const found = await world.ec2.send(new DescribeInstancesCommand({ InstanceIds: [instanceId ?? ''] }));
  const [instance] = found.Reservations?.[0]?.Instances ?? [];
  const NetworkInterfaceId = instance?.NetworkInterfaces?.[0]?.NetworkInterfaceId;
  await world.ec2.send(new ModifyNetworkInterfaceAttributeCommand({ NetworkInterfaceId, Groups: [groupId] }));
};

const targets = async () => (await lookAtBalancers(world.elbv2)).groups.flatMap((group) => group.targets);

describe('a node in another security group', () => {
  it('remains a target, and the condition names its instance and the field', async () => {
    const [first = '', second = ''] = world.ids.nodes;
    await moveTo(first, world.ids.given);
    world.state.services = [aService()];

    await world.pass();

    expect(await targets()).toEqual([`${first}:30080`, `${second}:30080`].sort());
    const { status, message } = (await world.condition()) ?? {};
    expect(status).toBe('True');
    expect(message).toContain(first);
    expect(message).not.toContain(second);
    expect(message).toContain('spec.securityGroupOverrides of the AWSMachines');
  });

  it('does not prevent load balancers from getting other nodes as targets', async () => {
    const [first = '', second = ''] = world.ids.nodes;
    world.state.services = [aService()];
    world.state.nodes = [nodeOf(first)];
    await world.pass();

    await moveTo(first, world.ids.given);
    world.state.nodes = [nodeOf(first), nodeOf(second)];
    await world.pass();

    expect(await targets()).toEqual([`${first}:30080`, `${second}:30080`].sort());
  });
});

it('a Service without a reachable node is refused, and retried every hour', async () => {
  for (const id of world.ids.nodes) await moveTo(id, world.ids.given);
  world.state.services = [aService()];

  expect(await world.pass()).toEqual([]);

  expect(await world.condition()).toMatchObject({
    reason: 'ServicesFailed',
    message: expect.stringContaining('spec.network.securityGroupOverrides of the AWSCluster'),
  });
  expect(settledServices(await world.infrastructure())).toMatch(/-hourly$/);
});
