import { setImmediate } from 'node:timers/promises';
import { expect, it, vi } from 'vitest';
import { silentLog } from '../../../../shared/log.ts';
import { PATIENCE } from '../../../../shared/test-patience.ts';
import { makeHandClock, makeSeededRandom } from '../../test-aws.ts';
import { announcementOf, createEventBus } from './bus.ts';
import { eventsEngine } from './engine.ts';
import { rateMilliseconds } from './rate.ts';

const target = {
  partition: 'aws',
  accountId: '000000000000',
  region: 'us-east-1',
  urlSuffix: 'amazonaws.com',
  stackName: 'Windlass',
};

const setUp = (State: string, { Input, withoutSchedules }: { Input?: string; withoutSchedules?: true } = {}) => {
  const clock = makeHandClock();
  const invoked: [arn: string, event: unknown][] = [];
  const engine = eventsEngine({
    target,
    clock,
    random: makeSeededRandom('test'),
    log: silentLog,
    withoutSchedules,
    invoke: async (arn, event) => {
      invoked.push([arn, event]);
      if (invoked.length === 1) throw new Error('the first sweep fails');
    },
  });
  const properties = {
    ScheduleExpression: 'rate(5 minutes)',
    State,
    Targets: [{ Arn: 'arn:drift', Id: 'Target0', Input }],
  };
  engine.create({ logicalId: 'Sweep', type: 'AWS::Events::Rule', properties });
  return { clock, invoked, engine };
};

const MINUTE = 60_000;

it('invokes its function at each interval of the injected clock, even after a failure, until it stops', async () => {
  const { clock, invoked, engine } = setUp('ENABLED');
  await engine.start?.();
  clock.advance(4 * MINUTE);
  expect(invoked).toHaveLength(0);
  clock.advance(MINUTE);
  await vi.waitFor(() => expect(invoked).toHaveLength(1), PATIENCE);
  clock.advance(5 * MINUTE);
  await vi.waitFor(() => expect(invoked).toHaveLength(2), PATIENCE);
  expect(invoked[1]).toMatchObject([
    'arn:drift',
    {
      source: 'aws.events',
      'detail-type': 'Scheduled Event',
      time: '2026-11-20T10:10:00Z',
      resources: ['arn:aws:events:us-east-1:000000000000:rule/Windlass-Sweep'],
    },
  ]);
  await engine.stop?.();
  clock.advance(50 * MINUTE);
  await Promise.resolve();
  expect(invoked).toHaveLength(2);
});

it('passes the events in its region to the functions whose pattern they match', async () => {
  const clock = makeHandClock();
  const bus = createEventBus(clock);
  const invoked: [arn: string, event: unknown][] = [];
  const invoke = async (arn: string, event: unknown) => void invoked.push([arn, event]);
  const engine = eventsEngine({ target, bus, clock, random: makeSeededRandom('test'), log: silentLog, invoke });
  const properties = {
    EventPattern: { source: ['aws.ec2'] },
    State: 'ENABLED',
    Targets: [{ Arn: 'arn:events', Id: 'T' }],
  };
  engine.create({ logicalId: 'Rule', type: 'AWS::Events::Rule', properties });
  await engine.start?.();
  const said = { source: 'aws.ec2', detailType: 'Said', instanceIds: ['i-1'], detail: {} };
  const place = { ...target, clock, random: makeSeededRandom('test') };
  const event = announcementOf(place, said);
  bus.put(event);
  bus.put(announcementOf(place, { ...said, source: 'aws.health' }));
  bus.put(announcementOf({ ...place, region: 'eu-west-1' }, said));
  expect(invoked).toEqual([['arn:events', event]]);
  await engine.stop?.();
  bus.put(event);
  expect(invoked).toHaveLength(1);
});

it.each<[string, ReturnType<typeof setUp>]>([
  ['of a disabled rule', setUp('DISABLED')],
  ['of any rule if schedules are turned off', setUp('ENABLED', { withoutSchedules: true })],
])('does not follow the schedule %s', async (_, { clock, invoked, engine }) => {
  await engine.start?.();
  clock.advance(50 * MINUTE);
  await setImmediate();
  expect(invoked).toHaveLength(0);
  await engine.stop?.();
});

it("accepts rates in EventBridge's format, and nothing else", () => {
  expect(rateMilliseconds('rate(1 minute)')).toBe(MINUTE);
  expect(rateMilliseconds('rate(2 hours)')).toBe(120 * MINUTE);
  for (const other of ['rate(1 minutes)', 'rate(5 minute)', 'rate(0 minutes)', 'cron(0 * * * ? *)'])
    expect(() => rateMilliseconds(other)).toThrow(`the schedule "${other}"`);
});

it("passes the target's input to a function instead of the event", async () => {
  const { clock, invoked, engine } = setUp('ENABLED', { Input: '{"shard":3}' });
  await engine.start?.();
  clock.advance(5 * MINUTE);
  await vi.waitFor(() => expect(invoked).toEqual([['arn:drift', { shard: 3 }]]), PATIENCE);
  await engine.stop?.();
});
