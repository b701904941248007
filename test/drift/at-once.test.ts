/** Events of CloudTrail are handled without a sweep: the event in AWS's format, the deployed rule, and its function. */

import { AuthorizeSecurityGroupIngressCommand, DescribeSecurityGroupsCommand } from '@aws-sdk/client-ec2';
import { DeleteListenerCommand, DescribeListenersCommand } from '@aws-sdk/client-elastic-load-balancing-v2';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { handleEvent } from '../../functions/events/handle.ts';
import { allOwners } from '../../functions/events/test-owners.ts';
import { controllerScopeOf } from '../../functions/providers/aws/aws-scope.ts';
import { makeEventPort } from '../../functions/providers/aws/events/port.ts';
import { apiCallPattern } from '../../infra/constructs/events/api-call-pattern.ts';
import type { BusEvent } from '../../infra/local/engines/events/bus.ts';
import { checkPattern, matches } from '../../infra/local/engines/events/pattern.ts';
import { silentLog } from '../../shared/log.ts';
import { createEc2Fleet } from '../../shared/providers/aws/api/ec2-fleet.ts';
import { createMemoryPledges } from '../../shared/store/work/memory-pledges.ts';
import { NO_PASSES } from '../../shared/store/work/no-work.ts';
import { type DriftWorld, type Step, startDriftWorld } from './drift-world.ts';

let world: DriftWorld;
const told: BusEvent[] = [];

beforeAll(async () => {
  world = await startDriftWorld({ hasTrail: true });
  world.account.bus.listen((event) => told.push(event));
});
afterAll(() => world.close());

const { detailType, ...fields } = apiCallPattern('Windlass');
const PATTERN = { ...fields, 'detail-type': detailType };

/** Runs the rule and the function with the events recorded so far; returns the number of requested passes. */
const deliver = async (step: Step): Promise<number> => {
  checkPattern(PATTERN);
  const events = told.splice(0).filter((event) => matches(PATTERN, event));
  let passes = 0;
  const { objects, clock, client } = world;
  const port = { objects, clock, scopeOf: controllerScopeOf, fleet: () => createEc2Fleet(client) };
  for (const event of events)
    await handleEvent(
      {
        ...{ objects: world.objects, clock: world.clock, log: silentLog, providers: { aws: makeEventPort(port) } },
        findByInstance: async () => [],
        findByGroup: async () => [],
        findOwners: allOwners(world.objects),
        ...{ pledges: createMemoryPledges({ clock: world.clock }), work: NO_PASSES },
        touch: async () => {
          passes += 1;
          await world.pass(step);
        },
      },
      event,
    );
  return passes;
};

it('a rule that was added to a security group is removed', async () => {
  const group = async () => {
    const Filters = [{ Name: 'group-name', Values: ['red-node'] }];
    return (await world.client.send(new DescribeSecurityGroupsCommand({ Filters }))).SecurityGroups?.[0];
  };
  const rule = { IpProtocol: 'tcp', FromPort: 22, ToPort: 22, IpRanges: [{ CidrIp: '0.0.0.0/0' }] };
  const GroupId = (await group())?.GroupId;
  await world.client.send(new AuthorizeSecurityGroupIngressCommand({ GroupId, IpPermissions: [rule] }));
  expect(await deliver('network')).toBe(1);
  expect((await group())?.IpPermissions?.map(({ FromPort }) => FromPort)).not.toContain(22);
});

it('a deleted listener is recreated', async () => {
  const { elbv2 } = world.clients;
  const balancer = [...world.account.elbv2().loadBalancers.values()][0];
  const listeners = async () =>
    (await elbv2.send(new DescribeListenersCommand({ LoadBalancerArn: balancer?.arn }))).Listeners ?? [];
  const [first] = await listeners();
  told.length = 0;
  await elbv2.send(new DeleteListenerCommand({ ListenerArn: first?.ListenerArn }));
  expect(await deliver('loadBalancer')).toBe(1);
  expect((await listeners()).map(({ Port }) => Port)).toContain(first?.Port);
});
