import { StartInstancesCommand, StopInstancesCommand, TerminateInstancesCommand } from '@aws-sdk/client-ec2';
import { expect, it } from 'vitest';
import type { BusEvent } from '../../events/bus.ts';
import { instanceCalls, useTestEc2 } from '../test-ec2.ts';

const account = useTestEc2({ instanceStartMilliseconds: 300, instanceStopMilliseconds: 500 });
const { runOne } = instanceCalls(account);

it('reports each state of an instance when the instance enters it, but no state that is skipped', async () => {
  const { test, ec2 } = account;
  const told: BusEvent[] = [];
  test.account.bus.listen((event) => told.push(event));
  const wait = async (milliseconds: number) => {
    test.clock.advance(milliseconds);
    await new Promise((resolve) => setImmediate(resolve));
  };

  const id = await runOne();
  await wait(0);
  await wait(300);
  await ec2.send(new StopInstancesCommand({ InstanceIds: [id] }));
  await wait(500);
  await ec2.send(new StartInstancesCommand({ InstanceIds: [id] }));
  await wait(100);
  await ec2.send(new TerminateInstancesCommand({ InstanceIds: [id] }));
  await wait(500);

  const states = told.map(({ detail }) => (detail as { state: string }).state);
  expect(states).toEqual(['pending', 'running', 'stopping', 'stopped', 'pending', 'shutting-down', 'terminated']);
  expect(told[1]).toMatchObject({
    version: '0',
    source: 'aws.ec2',
    'detail-type': 'EC2 Instance State-change Notification',
    account: '000000000000',
    region: 'us-east-1',
    time: '2026-11-20T10:00:00Z',
    resources: [`arn:aws:ec2:us-east-1:000000000000:instance/${id}`],
    detail: { 'instance-id': id },
  });
});
