/** Rules of the nodes' security group that others add or remove while a pass changes them. */
import {
  AuthorizeSecurityGroupIngressCommand,
  type IpPermission,
  RevokeSecurityGroupIngressCommand,
} from '@aws-sdk/client-ec2';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { aService, type ServiceWorld, startServiceWorld } from './world.ts';

let world: ServiceWorld;
beforeEach(async () => {
  world = await startServiceWorld();
});
afterEach(() => world.close());

/** The rule for large packets, one of the two that the load balancer needs. */
const MTU: IpPermission[] = [
  { IpProtocol: 'icmp', FromPort: 3, ToPort: 4, IpRanges: [{ CidrIp: '0.0.0.0/0', Description: 'by hand' }] },
];

/** Sends `first` immediately before the next command of that type. */
const before = (type: new (...input: never[]) => unknown, first: object): void => {
  const send = world.ec2.send.bind(world.ec2) as (command: unknown) => Promise<unknown>;
  let isOpen = true;
  world.ec2.send = (async (command: unknown) => {
    if (isOpen && command instanceof type) {
      isOpen = false;
      await send(first);
    }
    return send(command);
  }) as never;
};

it('the other rules of a load balancer are added if one exists by then: EC2 adds all of a call or none', async () => {
  const input = { GroupId: world.ids.nodesGroup, IpPermissions: MTU };
  before(AuthorizeSecurityGroupIngressCommand, new AuthorizeSecurityGroupIngressCommand(input));
  world.state.services = [aService()];

  await world.pass();

  expect(await world.rules(world.ids.nodesGroup)).toEqual([
    'icmp 3-4 0.0.0.0/0 by hand',
    expect.stringContaining('tcp 30080-30080 0.0.0.0/0 client='),
  ]);
  expect(await world.condition()).toMatchObject({ status: 'True' });
});

it('the other rules of a deleted Service are removed if one is gone by then', async () => {
  world.state.services = [aService()];
  await world.pass();
  const input = { GroupId: world.ids.nodesGroup, IpPermissions: MTU };
  before(RevokeSecurityGroupIngressCommand, new RevokeSecurityGroupIngressCommand(input));
  world.state.services = world.state.services.map((one) => ({ ...one, isDeleted: true }));

  await world.pass();

  expect(await world.rules(world.ids.nodesGroup)).toEqual([]);
  expect(world.state.services).toEqual([]);
});

it('the removal is not complete if one of the other rules cannot be removed', async () => {
  world.state.services = [aService()];
  await world.pass();
  world.state.services = world.state.services.map((one) => ({ ...one, isDeleted: true }));
  const fault = { code: 'InternalError', status: 500 };
  const { account } = world.test;
  account.failNext('ec2', 'RevokeSecurityGroupIngress', { code: 'InvalidPermission.NotFound' });
  for (let count = 0; count < 9; count += 1) account.failNext('ec2', 'RevokeSecurityGroupIngress', fault);

  await world.pass();

  expect(world.service()?.finalizers).toHaveLength(1);
  expect(await world.condition()).toMatchObject({ status: 'False' });
});
