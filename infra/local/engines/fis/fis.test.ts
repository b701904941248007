import { CreateTagsCommand, DeleteTagsCommand, DescribeInstanceStatusCommand } from '@aws-sdk/client-ec2';
import { describe, expect, it } from 'vitest';
import { codeOf } from '../../test-aws.ts';
import { instanceCalls, useTestEc2 } from '../ec2/test-ec2.ts';
import type { BusEvent } from '../events/bus.ts';

const account = useTestEc2({ instanceStartMilliseconds: 300, instanceStopMilliseconds: 500 });
const { instanceOf, run, runOne } = instanceCalls(account);

const listen = (): BusEvent[] => {
  const told: BusEvent[] = [];
  account.test.account.bus.listen((event) => told.push(event));
  return told;
};

const wait = async (milliseconds: number) => {
  account.test.clock.advance(milliseconds);
  await new Promise((resolve) => setImmediate(resolve));
};

const authorization = 'AWS4-HMAC-SHA256 Credential=AKIA/20261120/us-east-1/fis/aws4_request, Signature=none';

const fis = async (method: string, path: string, body?: object) => {
  const init = { method, headers: { authorization }, ...(body ? { body: JSON.stringify(body) } : {}) };
  const response = await fetch(`${account.test.aws.url}${path}`, init);
  const answer = (await response.json()) as { experimentTemplate?: { id: string }; experiment?: object };
  return { status: response.status, ...answer };
};

const template = (instanceId: string, changes: object = {}) => ({
  description: 'take it back',
  roleArn: 'arn:aws:iam::000000000000:role/fis',
  stopConditions: [{ source: 'none' }],
  targets: {
    one: {
      resourceType: 'aws:ec2:spot-instance',
      resourceArns: [`arn:aws:ec2:us-east-1:000000000000:instance/${instanceId}`],
      selectionMode: 'ALL',
    },
  },
  actions: {
    interrupt: {
      actionId: 'aws:ec2:send-spot-instance-interruptions',
      parameters: { durationBeforeInterruption: 'PT3M' },
      targets: { SpotInstances: 'one' },
    },
  },
  ...changes,
});

const start = async (wanted: object) => {
  const { experimentTemplate } = await fis('POST', '/experimentTemplates', wanted);
  return fis('POST', '/experiments', { experimentTemplateId: experimentTemplate?.id });
};

const types = (told: readonly BusEvent[]) => told.map((event) => `${event['detail-type']}`.split(' ').at(-1));

describe('the Fault Injection Service', () => {
  it('sends a rebalance recommendation, warns two minutes before the interruption, and reclaims a spot instance', async () => {
    const [spot] = await run({ InstanceMarketOptions: { MarketType: 'spot' } });
    const id = spot?.InstanceId ?? '';
    await wait(300);
    const told = listen();

    const { experiment } = await start(template(id));
    expect(experiment).toMatchObject({ state: { status: 'completed' } });
    await wait(59_999);
    expect(types(told)).toEqual(['Recommendation']);
    await wait(1);
    expect(told.at(-1)).toMatchObject({ detail: { 'instance-id': id, 'instance-action': 'terminate' } });
    expect(await instanceOf(id)).toMatchObject({ State: { Name: 'running' }, StateTransitionReason: '' });
    await wait(120_000);
    await wait(500);
    expect(await instanceOf(id)).toMatchObject({
      State: { Name: 'terminated' },
      StateReason: { Code: 'Server.SpotInstanceTermination' },
    });
    expect(types(told)).toEqual(['Recommendation', 'Warning', 'Notification', 'Notification']);
  });

  it('accepts no on-demand instance as a target, and names what it does not simulate', async () => {
    const id = await runOne();
    await wait(300);
    expect((await start(template(id))).experiment).toMatchObject({ state: { status: 'failed' } });
    const stop = { stop: { actionId: 'aws:ec2:stop-instances', parameters: {}, targets: { Instances: 'one' } } };
    expect(await fis('POST', '/experimentTemplates', template(id, { actions: stop }))).toMatchObject({
      status: 501,
      __type: 'NotSimulated',
      message: expect.stringContaining('actions.stop.actionId'),
    });
    expect(await fis('GET', '/actions')).toMatchObject({ status: 501 });
  });
});

it('schedules maintenance if a tag requests it, and cancels it when the tag is removed', async () => {
  const { ec2 } = account;
  const id = await runOne();
  await wait(300);
  const told = listen();
  const tag = (Value: string) => ({ Resources: [id], Tags: [{ Key: 'windlass.dev/simulate-event', Value }] });
  const scheduled = async () => {
    const Filters = [{ Name: 'event.code', Values: ['instance-retirement'] }];
    const { InstanceStatuses = [] } = await ec2.send(new DescribeInstanceStatusCommand({ Filters }));
    return InstanceStatuses.flatMap(({ Events }) => Events ?? []);
  };

  await ec2.send(new CreateTagsCommand(tag('instance-retirement')));
  await ec2.send(new CreateTagsCommand(tag('instance-retirement')));
  expect(await scheduled()).toMatchObject([
    { Code: 'instance-retirement', NotBefore: new Date('2026-12-04T10:00:00.300Z') },
  ]);
  await ec2.send(new DeleteTagsCommand({ Resources: [id], Tags: [{ Key: 'windlass.dev/simulate-event' }] }));
  expect(await scheduled()).toEqual([]);
  expect(told.map(({ source, detail }) => [source, (detail as { statusCode: string }).statusCode])).toEqual([
    ['aws.health', 'upcoming'],
    ['aws.health', 'closed'],
  ]);
  expect(await codeOf(ec2.send(new CreateTagsCommand(tag('soon'))))).toBe('InvalidParameterValue');
});
